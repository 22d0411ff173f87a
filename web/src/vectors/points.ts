/** Words as points, drawn by the graphics processor: one buffer, one call for a frame. Only the map loads this file. */
import {
  createBufferInfoFromArrays,
  createProgramInfo,
  drawBufferInfo,
  setBuffersAndAttributes,
  setUniforms,
} from "twgl.js";
import type { BufferInfo, ProgramInfo } from "twgl.js";
import type { Camera, Size } from "./camera";

const PLACE = `#version 300 es
in vec2 place;
uniform vec2 middle;
uniform vec2 unit;
uniform float dot_;
void main() {
  gl_Position = vec4((place - middle) * unit, 0.0, 1.0);
  gl_PointSize = dot_;
}`;
const INK = `#version 300 es
precision mediump float;
uniform vec4 ink;
out vec4 colour;
void main() {
  float away = length(gl_PointCoord - 0.5);
  float inside = 1.0 - smoothstep(0.35, 0.5, away);
  colour = vec4(ink.rgb, 1.0) * (ink.a * inside);
}`;

export class Cloud {
  private readonly gl: WebGL2RenderingContext;
  private readonly program: ProgramInfo;
  private buffer: BufferInfo | null = null;
  private area = 1; // of the plane, that most points lie in

  constructor(private readonly canvas: HTMLCanvasElement) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true });
    if (!gl) throw new Error("this browser draws no WebGL, so the map is not shown; everything else works");
    this.gl = gl;
    this.program = createProgramInfo(gl, [PLACE, INK]);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** Take other points. */
  hold(places: Float32Array): void {
    this.area = 16 * spreadOf(places, 0) * spreadOf(places, 1);
    const old = this.buffer?.attribs?.place?.buffer;
    if (old) this.gl.deleteBuffer(old);
    this.buffer = places.length
      ? createBufferInfoFromArrays(this.gl, { place: { numComponents: 2, data: places } })
      : null;
  }

  draw(camera: Camera, size: Size, ink: readonly [number, number, number], ratio: number): void {
    const { gl, canvas, buffer } = this;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!buffer) return;
    const [dot, strength] = dotFor(this.area, buffer.numElements, camera.unit);
    gl.useProgram(this.program.program);
    setBuffersAndAttributes(gl, this.program, buffer);
    setUniforms(this.program, {
      middle: [camera.x, camera.y],
      unit: [(2 * camera.unit) / size.width, (2 * camera.unit) / size.height],
      dot_: dot * ratio,
      ink: [...ink, strength],
    });
    drawBufferInfo(gl, buffer, gl.POINTS);
  }

  /** Everything is drawn: for whoever measures. */
  finish(): void {
    this.gl.finish();
  }

  leave(): void {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

/** How far points lie apart along an axis, as a standard deviation; a few thousand of them say it. */
function spreadOf(places: Float32Array, axis: number): number {
  const step = 2 * Math.max(1, Math.floor(places.length / 2 / 4000));
  let [count, sum, squares] = [0, 0, 0];
  for (let i = axis; i < places.length; i += step) {
    count++;
    sum += places[i]!;
    squares += places[i]! ** 2;
  }
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}

/** Crowded points are small and faint, so that where they are dense is dark; where there is room they are large. */
function dotFor(area: number, count: number, unit: number): [number, number] {
  const room = unit * Math.sqrt(area / Math.max(1, count)); // pixels from one point to the next
  return [Math.min(9, Math.max(1.8, room / 2)), Math.min(0.8, Math.max(0.1, room / 14))];
}
