/** Whether the claims of documents are shown beside the numbers: asked for once, and remembered by this browser. */
const KEPT = "regard.sources";

class Sources {
  private on = $state(read());

  get isShown(): boolean {
    return this.on;
  }
  set isShown(value: boolean) {
    this.on = value;
    try {
      localStorage.setItem(KEPT, value ? "1" : "0");
    } catch {
      // a browser may be told to store nothing: then it is asked for again
    }
  }
}

function read(): boolean {
  try {
    return localStorage.getItem(KEPT) === "1";
  } catch {
    return false;
  }
}

export const sources = new Sources();
