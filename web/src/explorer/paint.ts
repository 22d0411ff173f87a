/** Numbers as a picture: one small rectangle each, in the colour of their role; negative ones grey. */

const NAMES = { Q: "--q", K: "--k", V: "--v", A: "--a", "": "--more" } as const;

type Curve = (size: number) => number;

/** Draw when the size of the canvas is known, and again when it or the theme changes; the result stops that. */
export function paint(
  canvas: HTMLCanvasElement,
  values: ArrayLike<number>,
  columns: number,
  rows: number,
  largest: number,
  role: keyof typeof NAMES = "",
  pointed: number | null = null,
  curve: Curve = (size) => size,
): () => void {
  return whenever(canvas, role, (brush, colours, width, height) => {
    const shades = colours.map((colour) => parsed(brush, colour));
    brush.drawImage(picture(values, columns, rows, largest, curve, shades), 0, 0, width, height);
    if (pointed !== null) {
      brush.strokeStyle = colours[3]!;
      brush.strokeRect((pointed * width) / columns + 0.5, 0.5, Math.max(2, width / columns - 1), height - 1);
    }
  });
}

/** Numbers, and which part of a large matrix they were pooled from. */
export interface Sheet {
  values: ArrayLike<number>;
  width: number;
  height: number;
  rows: readonly [number, number];
  keys: readonly [number, number];
}

/** Draw a part of a large matrix from what is known of it: each sheet in its place, the later above the earlier. */
export function paintPart(
  canvas: HTMLCanvasElement,
  sheets: readonly Sheet[],
  rows: readonly [number, number],
  keys: readonly [number, number],
  largest: number,
  role: keyof typeof NAMES,
  curve: Curve,
): () => void {
  return whenever(canvas, role, (brush, colours, width, height) => {
    const shades = colours.map((colour) => parsed(brush, colour));
    brush.fillStyle = colours[2]!;
    brush.fillRect(0, 0, width, height);
    const [across, down] = [width / (keys[1] - keys[0]), height / (rows[1] - rows[0])];
    for (const sheet of sheets)
      brush.drawImage(
        picture(sheet.values, sheet.width, sheet.height, largest, curve, shades),
        (sheet.keys[0] - keys[0]) * across,
        (sheet.rows[0] - rows[0]) * down,
        (sheet.keys[1] - sheet.keys[0]) * across,
        (sheet.rows[1] - sheet.rows[0]) * down,
      );
  });
}

type Draw = (brush: CanvasRenderingContext2D, colours: string[], width: number, height: number) => void;

function whenever(canvas: HTMLCanvasElement, role: keyof typeof NAMES, draws: Draw): () => void {
  const root = canvas.closest(".regard");
  let size: [number, number] = [0, 0];
  const draw = (): void => {
    const [width, height] = size;
    if (!width || !height || !root) return;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const brush = canvas.getContext("2d")!;
    const colours = [NAMES[role], role ? "--grey" : "--less", "--wash", "--ink"].map((name) =>
      getComputedStyle(root).getPropertyValue(name).trim(),
    );
    brush.imageSmoothingEnabled = false;
    draws(brush, colours, width, height);
  };
  const watch = new ResizeObserver(([seen]) => {
    const ratio = devicePixelRatio || 1;
    size = [Math.round(seen!.contentRect.width * ratio), Math.round(seen!.contentRect.height * ratio)];
    draw();
  });
  watch.observe(canvas);
  const theme = new MutationObserver(draw);
  if (root) theme.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    watch.disconnect();
    theme.disconnect();
  };
}

/** One pixel for each number. */
function picture(
  values: ArrayLike<number>,
  columns: number,
  rows: number,
  largest: number,
  curve: Curve,
  [ink, below, wash]: number[][],
): HTMLCanvasElement {
  const small = document.createElement("canvas");
  [small.width, small.height] = [columns, rows];
  const brush = small.getContext("2d")!;
  const image = brush.createImageData(columns, rows);
  for (let cell = 0; cell < columns * rows; cell++) {
    const value = values[cell]!;
    const share = curve(Math.min(1, Math.abs(value) / largest)) || 0;
    const colour = value < 0 ? below! : ink!;
    for (let part = 0; part < 3; part++)
      image.data[4 * cell + part] = wash![part]! + share * (colour[part]! - wash![part]!);
    image.data[4 * cell + 3] = 255;
  }
  brush.putImageData(image, 0, 0);
  return small;
}

/** A colour of the style as red, green and blue: a canvas gives every colour back as #rrggbb. */
function parsed(brush: CanvasRenderingContext2D, colour: string): number[] {
  brush.fillStyle = colour;
  const written = brush.fillStyle;
  return [1, 3, 5].map((at) => Number.parseInt(written.slice(at, at + 2), 16));
}
