import { describe, expect, it, vi } from "vitest";
import { findStep } from "../src/trace/address";
import { NotFound } from "../src/trace/near";

describe("what does not exist", () => {
  it("is compared with other names only when somebody reads the sentence", () => {
    const said = vi.fn(() => "no step 'weihgts'; did you mean weights?");
    const error = new NotFound(said);
    expect(said).not.toHaveBeenCalled();
    expect(error.message).toBe("no step 'weihgts'; did you mean weights?");
  });

  it("says what may have been meant", () => {
    const steps = new Map([["layer0.weights", { name: "layer0.weights" }]]);
    expect(() => findStep("weihgts", steps as never)).toThrow("no step 'weihgts'; did you mean weights?");
  });
});
