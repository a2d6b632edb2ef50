/** The people that a server knows: their tokens and rights. */
export {
  checkName,
  endOf,
  type Grant,
  type GrantedFolders,
  grantedFolders,
  grantOf,
  isValid,
  newToken,
  type Principal,
  RIGHTS,
  tokenHash,
  type TokenRecord,
  type TokenStore,
} from "./principal.ts";
export { type Person, TokenBook, type TokenBookOptions } from "./token_book.ts";
export { isTokenFile, TokenFolder, tokenStore } from "./token_folder.ts";
