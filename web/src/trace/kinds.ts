/** The operation that a file names. Only registered kinds can come of it; nothing in a file is run. */
import { Contract } from "./contract";
import { Given, type Role } from "./given";
import { FormulaMap } from "./map";
import { Merge, Split } from "./merge";
import type { Numbers } from "./numbers";
import type { Operation } from "./operation";
import { Peak } from "./peak";
import { Pick, Scatter } from "./pick";
import { Replace } from "./replace";

export interface OperationData {
  kind: string;
  spec?: string;
  factor?: number;
  sizes?: [string, number][];
  formula?: string;
  constants?: number[];
  rows?: number;
  letters?: string;
  role?: Role;
  at?: number[];
  number?: number;
}

export function operationFrom(data: OperationData, numbers: () => Numbers): Operation {
  switch (data.kind) {
    case "given":
      return new Given(numbers(), data.letters ?? "", data.role);
    case "contract":
      return new Contract(data.spec!, data.factor, data.sizes);
    case "map":
      return new FormulaMap(data.formula!, data.spec!, data.constants);
    case "merge":
      return new Merge(data.spec!);
    case "split":
      return new Split(data.spec!, data.sizes!);
    case "pick":
      return new Pick(data.spec!);
    case "scatter":
      return new Scatter(data.spec!, data.rows!);
    case "peak":
      return new Peak(data.spec!);
    case "replace":
      return new Replace(data.letters!, data.at!, data.number!);
    default:
      throw new Error(
        `unknown operation "${data.kind}"; ` +
          "this page knows given, contract, map, merge, split, pick, scatter, peak, replace",
      );
  }
}
