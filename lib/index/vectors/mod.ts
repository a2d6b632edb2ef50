export { quantizeRow } from "./quantize.ts";
export { DotProducts, VectorScanner } from "./scanner.ts";
export { type ExactVectors, VectorSections } from "./sections.ts";
export { StoredVectors } from "./stored_vectors.ts";
export { checkVectorSections, vectorMetaOf } from "./vector_meta.ts";
export { VectorIndex, type VectorMeta } from "./vector_index.ts";
