/** The people that a server knows: their rights and tokens. */
export { type Grant, grantedFolders, grantOf, type Principal } from "./principal.ts";
export {
  checkName,
  endOf,
  isValid,
  newToken,
  tokenHash,
  type TokenRecord,
  type TokenStore,
} from "./token_record.ts";
export { TokenBook } from "./token_book.ts";
export { isTokenFile, tokenStore } from "./token_folder.ts";
