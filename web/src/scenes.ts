/** The scenes of the page: what each is called in the header, and what draws it. A new scene is one line here, and its
 * name in `View`. */
import type { Component } from "svelte";
import type { Explorer } from "./explorer/explorer.svelte";
import Compare from "./compare/Compare.svelte";
import Explore from "./explorer/Explore.svelte";
import Flow from "./flow/Flow.svelte";
import Gravity from "./gravity/Gravity.svelte";
import Catalogue from "./lessons/Catalogue.svelte";
import Opening from "./opening/Opening.svelte";
import Read from "./reading/Read.svelte";
import Make from "./train/Make.svelte";
import type { View } from "./state";
import Vectors from "./vectors/Vectors.svelte";

export interface Scene {
  page: View["page"];
  title: string | null; // null: reached otherwise than by the header
  scene: Component;
  readsAText: boolean; // its header asks for a sentence and a model
  isThere: (explorer: Explorer) => boolean;
}

const always = (): boolean => true;
// neither a file to be read nor a model that is only watched has numbers to ask for
const withNumbers = (explorer: Explorer): boolean => !explorer.run?.isRounded && !explorer.run?.watched;
const withLessons = (explorer: Explorer): boolean => explorer.source.ask !== null;
const withAServer = (explorer: Explorer): boolean => explorer.source.exported !== null; // it also writes files

export const SCENES: readonly Scene[] = [
  { page: "opening", title: null, scene: Opening, readsAText: false, isThere: always },
  { page: "explorer", title: "explore", scene: Explore, readsAText: true, isThere: always },
  { page: "flow", title: "flow", scene: Flow, readsAText: true, isThere: withNumbers },
  { page: "compare", title: null, scene: Compare, readsAText: true, isThere: withNumbers },
  { page: "lessons", title: "lessons", scene: Catalogue, readsAText: false, isThere: withLessons },
  { page: "gravity", title: "gravity", scene: Gravity, readsAText: true, isThere: withNumbers },
  { page: "vectors", title: "vectors", scene: Vectors, readsAText: false, isThere: withAServer },
  { page: "read", title: "read", scene: Read, readsAText: false, isThere: withAServer },
  { page: "train", title: "make", scene: Make, readsAText: false, isThere: withAServer },
];

export const sceneOf = (page: View["page"]): Scene =>
  SCENES.find((scene) => scene.page === page) ?? SCENES.find((scene) => scene.page === "explorer")!;
