/** What is on screen as a picture: the scene is drawn again, as it is, into an image. Nothing leaves the tab. */

const FINER = 2; // points of the picture for each of the screen
const MARGIN = 24;

/** The styles of this page that can be read: its own. */
const styles = (page: Document): string =>
  [...page.styleSheets]
    .flatMap((sheet) => {
      try {
        return [...sheet.cssRules];
      } catch {
        return []; // a stranger's, in a notebook
      }
    })
    .map((rule) => rule.cssText)
    .join("\n");

/** A copy that looks the same: what was typed and what was painted are no part of the markup. */
function copied(scene: HTMLElement): HTMLElement {
  const copy = scene.cloneNode(true) as HTMLElement;
  const [fields, same] = [scene, copy].map((one) => [...one.querySelectorAll("input, textarea, select")]);
  fields!.forEach((field, i) => {
    const [from, to] = [field, same![i]!];
    if (from instanceof HTMLSelectElement && to instanceof HTMLSelectElement)
      to.options[from.selectedIndex]?.setAttribute("selected", "");
    else if (from instanceof HTMLTextAreaElement) to.textContent = from.value;
    else if (from instanceof HTMLInputElement) to.setAttribute("value", from.value);
  });
  const [painted, blank] = [scene, copy].map((one) => [...one.querySelectorAll("canvas")]);
  painted!.forEach((canvas, i) => {
    canvas.dispatchEvent(new Event("redraw")); // what the graphics processor drew is gone once it is on screen
    const image = document.createElement("img");
    image.src = canvas.toDataURL();
    image.className = canvas.className;
    image.style.cssText = `${canvas.style.cssText}; width: ${canvas.clientWidth}px; height: ${canvas.clientHeight}px`;
    blank![i]!.replaceWith(image);
  });
  const [feet, sameFeet] = [scene, copy].map((one) => [...one.querySelectorAll("footer")]);
  feet!.forEach((foot, i) => {
    if (getComputedStyle(foot).position !== "static") sameFeet![i]!.remove(); // it lies over the scene, to be pressed
  });
  return copy;
}

/** The scene inside an element of the page, as far as it is on screen. */
export async function pictureOf(scene: HTMLElement): Promise<Blob> {
  const page = scene.closest<HTMLElement>(".regard")!;
  const box = scene.getBoundingClientRect();
  const top = Math.max(0, -box.top); // what is scrolled away
  const [width, height] = [box.width, Math.min(box.height - top, innerHeight - Math.max(0, box.top))];
  const isDark = page.dataset.theme
    ? page.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const around = document.createElement("div");
  around.className = "regard";
  around.dataset.theme = isDark ? "dark" : "light";
  around.style.cssText = `width: ${width}px; height: ${height}px; overflow: hidden; padding: ${MARGIN}px`;
  const inside = copied(scene);
  inside.style.marginTop = `${-top}px`;
  const style = document.createElement("style");
  // in a picture everything is in sight, also what is scrolled away and holds up the rest
  style.textContent = `${styles(document)}\n.regard * { content-visibility: visible !important; }`;
  around.append(style, inside);
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const size = `width="${wide}" height="${high}"`;
  const written = new XMLSerializer().serializeToString(around);
  const drawn =
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><foreignObject width="100%" height="100%">` +
    `${written}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: wide * FINER, height: high * FINER });
  const brush = canvas.getContext("2d")!;
  brush.scale(FINER, FINER);
  brush.drawImage(image, 0, 0);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("this browser draws no picture of it")))),
  );
}
