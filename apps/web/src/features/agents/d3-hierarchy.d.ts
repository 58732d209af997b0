/** Of d3-hierarchy, which brings no types: what lays out the org chart. */
declare module "d3-hierarchy" {
  export interface LaidOut<T> {
    readonly data: T;
    readonly x: number;
    readonly y: number;
    readonly parent: LaidOut<T> | null;
    descendants(): LaidOut<T>[];
  }
  export interface Layout {
    nodeSize(size: readonly [number, number]): Layout;
    separation(between: () => number): Layout;
    <T>(root: LaidOut<T>): LaidOut<T>;
  }
  export function hierarchy<T>(data: T, children: (node: T) => readonly T[]): LaidOut<T>;
  export function tree(): Layout;
}
