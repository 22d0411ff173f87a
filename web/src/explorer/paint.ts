/** Numbers as a picture: one small rectangle each, in the colour of their role; negative ones grey. */

const NAMES = { Q: "--q", K: "--k", V: "--v", A: "--a", "": "--more" } as const;

type Curve = (size: number) => number;

/** One pixel for each number, which the browser enlarges: a page has hundreds of such pictures, and none of them waits
 * to know its size. Drawn again when the theme changes; the result stops that. */
export function paint(
  canvas: HTMLCanvasElement,
  values: ArrayLike<number>,
  columns: number,
  rows: number,
  largest: number,
  role: keyof typeof NAMES = "",
  curve: Curve = (size) => size,
): () => void {
  canvas.style.imageRendering = "pixelated";
  return inEveryTheme(canvas, (root) => {
    fill(canvas, values, columns, rows, largest, curve, coloursOf(root, role).shades);
  });
}

/** Draws now, and again when the theme changes; the result stops that. */
function inEveryTheme(canvas: HTMLCanvasElement, draw: (root: Element) => void): () => void {
  const root = canvas.closest(".regard");
  if (!root || !canvas.getContext("2d")) return () => {}; // some readers draw nothing
  draw(root);
  const theme = new MutationObserver(() => draw(root));
  theme.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  return () => theme.disconnect();
}

/** Numbers, and which part of a large matrix they were pooled from. */
export interface Sheet {
  values: ArrayLike<number>;
  width: number;
  height: number;
  rows: readonly [number, number];
  keys: readonly [number, number];
}

/** Draw a part of a large matrix from what is known of it: each sheet in its place, the later above the earlier; when
 * the size of the canvas is known, and again when it or the theme changes. */
export function paintPart(
  canvas: HTMLCanvasElement,
  sheets: readonly Sheet[],
  rows: readonly [number, number],
  keys: readonly [number, number],
  largest: number,
  role: keyof typeof NAMES,
  curve: Curve,
): () => void {
  return whenever(canvas, role, (brush, { paper, shades }, width, height) => {
    brush.fillStyle = paper;
    brush.fillRect(0, 0, width, height);
    const [across, down] = [width / (keys[1] - keys[0]), height / (rows[1] - rows[0])];
    for (const sheet of sheets)
      brush.drawImage(
        fill(document.createElement("canvas"), sheet.values, sheet.width, sheet.height, largest, curve, shades),
        (sheet.keys[0] - keys[0]) * across,
        (sheet.rows[0] - rows[0]) * down,
        (sheet.keys[1] - sheet.keys[0]) * across,
        (sheet.rows[1] - sheet.rows[0]) * down,
      );
  });
}

interface Colours {
  paper: string; // of nothing
  shades: Uint32Array; // as pixels, from the lowest number to the highest; nothing in the middle
}
type Draw = (brush: CanvasRenderingContext2D, colours: Colours, width: number, height: number) => void;

function whenever(canvas: HTMLCanvasElement, role: keyof typeof NAMES, draws: Draw): () => void {
  let size: [number, number] = [0, 0];
  const draw = (root: Element): void => {
    const [width, height] = size;
    if (!width || !height) return;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const brush = canvas.getContext("2d")!;
    brush.imageSmoothingEnabled = false;
    draws(brush, coloursOf(root, role), width, height);
  };
  const stop = whenSized(canvas, ({ width, height }) => {
    const ratio = devicePixelRatio || 1;
    size = [Math.round(width * ratio), Math.round(height * ratio)];
    const root = canvas.closest(".regard");
    if (root) draw(root);
  });
  const forget = inEveryTheme(canvas, draw);
  return () => {
    stop();
    forget();
  };
}

// one watch for all canvases
const sized = new Map<Element, (box: DOMRectReadOnly) => void>();
let watch: ResizeObserver | null = null;
function whenSized(canvas: Element, told: (box: DOMRectReadOnly) => void): () => void {
  watch ??= new ResizeObserver((seen) => seen.forEach(({ target, contentRect }) => sized.get(target)?.(contentRect)));
  sized.set(canvas, told);
  watch.unobserve(canvas);
  watch.observe(canvas);
  return () => {
    if (sized.get(canvas) !== told) return; // it is drawn anew
    sized.delete(canvas);
    watch?.unobserve(canvas);
  };
}

const STEPS = 255; // of a shade, as many as a screen has

/** The colours of a role. Asking the style for them is slow, so each theme is asked once. */
const known = new WeakMap<Element, Map<string, Colours>>();
function coloursOf(root: Element, role: keyof typeof NAMES): Colours {
  const theme = root.getAttribute("data-theme") ?? matchMedia("(prefers-color-scheme: dark)").matches;
  const own = known.get(root) ?? new Map<string, Colours>();
  known.set(root, own);
  const found = own.get(`${role} ${theme}`);
  if (found) return found;
  const style = getComputedStyle(root);
  const [above, below, paper] = [NAMES[role], role ? "--grey" : "--less", "--wash"].map((name) =>
    style.getPropertyValue(name).trim(),
  ) as [string, string, string];
  const shades = shadesOf(parsed(above), parsed(below), parsed(paper));
  own.set(`${role} ${theme}`, { paper, shades });
  return { paper, shades };
}

function shadesOf(above: number[], below: number[], paper: number[]): Uint32Array {
  const shades = new Uint8ClampedArray(4 * (2 * STEPS + 1));
  for (let step = -STEPS; step <= STEPS; step++) {
    const [colour, share] = [step < 0 ? below : above, Math.abs(step) / STEPS];
    const mixed = paper.map((part, i) => part + share * (colour[i]! - part));
    shades.set([...mixed, 255], 4 * (step + STEPS));
  }
  return new Uint32Array(shades.buffer);
}

/** One pixel for each number. */
function fill(
  canvas: HTMLCanvasElement,
  values: ArrayLike<number>,
  columns: number,
  rows: number,
  largest: number,
  curve: Curve,
  shades: Uint32Array,
): HTMLCanvasElement {
  [canvas.width, canvas.height] = [columns, rows];
  const brush = canvas.getContext("2d")!;
  const image = brush.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let cell = 0; cell < pixels.length; cell++) {
    const value = values[cell]!;
    const share = curve(Math.min(1, Math.abs(value) / largest)) || 0;
    pixels[cell] = shades[STEPS + Math.round(value < 0 ? -share * STEPS : share * STEPS)]!;
  }
  brush.putImageData(image, 0, 0);
  return canvas;
}

/** A colour of the style as red, green and blue: a canvas gives every colour back as #rrggbb. */
function parsed(colour: string): number[] {
  const brush = document.createElement("canvas").getContext("2d")!;
  brush.fillStyle = colour;
  const written = brush.fillStyle;
  return [1, 3, 5].map((at) => Number.parseInt(written.slice(at, at + 2), 16));
}
