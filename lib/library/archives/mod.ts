/** Archives as folders: their files are listed, and read like any others. */
export { type ArchivePlace, archivePlaces, FolderFiles, listInside } from "./folder_files.ts";
