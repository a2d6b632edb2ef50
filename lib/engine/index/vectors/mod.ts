export { DotProducts, quantizeRow, VectorIndex, type VectorMeta, VectorScanner } from "./vector_index.ts";
export { checkVectorSections, type ExactVectors, vectorMetaOf, VectorSections } from "./sections.ts";
