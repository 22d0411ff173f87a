/** Numbers as a picture: one small rectangle each, in the colour of their role; negative ones grey. */

const NAMES = { Q: "--q", K: "--k", V: "--v", A: "--a", "": "--more" } as const;

/** Draw, and draw again when the size of the canvas or the theme changes; the result stops that. */
export function paint(
  canvas: HTMLCanvasElement, values: ArrayLike<number>, columns: number, rows: number, largest: number,
  role: keyof typeof NAMES = "", pointed: number | null = null, curve: (size: number) => number = (size) => size,
): () => void {
  const draw = (): void => {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (!width || !height) return;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const style = getComputedStyle(canvas);
    const [ink, less, wash, line] = [NAMES[role], role ? "--grey" : "--less", "--wash", "--ink"].map((name) => style.getPropertyValue(name).trim());
    const brush = canvas.getContext("2d")!;
    brush.globalAlpha = 1;
    brush.fillStyle = wash!;
    brush.fillRect(0, 0, width, height);
    const edge = (position: number, count: number, size: number): number => Math.round((position * size) / count);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const value = values[row * columns + column]!;
        const size = curve(Math.min(1, Math.abs(value) / largest));
        if (!(size > 0.004)) continue;
        const [x, y] = [edge(column, columns, width), edge(row, rows, height)];
        brush.globalAlpha = size;
        brush.fillStyle = value < 0 ? less! : ink!;
        brush.fillRect(x, y, edge(column + 1, columns, width) - x, edge(row + 1, rows, height) - y);
      }
    if (pointed !== null) {
      const x = edge(pointed, columns, width);
      brush.globalAlpha = 1;
      brush.strokeStyle = line!;
      brush.lineWidth = ratio;
      brush.strokeRect(x + 0.5, 0.5, Math.max(2, edge(pointed + 1, columns, width) - x - 1), height - 1);
    }
  };
  draw();
  const watch = new ResizeObserver(draw);
  watch.observe(canvas);
  const theme = new MutationObserver(draw);
  const root = canvas.closest(".regard");
  if (root) theme.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    watch.disconnect();
    theme.disconnect();
  };
}
