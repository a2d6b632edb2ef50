export { quantizeRow } from "./quantize.ts";
export { DotProducts, VectorScanner } from "./scanner.ts";
export { type ExactVectors, VectorSections } from "./sections.ts";
export { checkVectorSections, vectorMetaOf } from "./vector_meta.ts";
export { VectorIndex, type VectorMeta } from "./vector_index.ts";
