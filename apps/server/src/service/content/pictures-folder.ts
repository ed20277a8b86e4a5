/** Pictures that are our own files, served by the edge from this folder. */
export const PICTURES_FOLDER = `${import.meta.dirname}/pictures`;
