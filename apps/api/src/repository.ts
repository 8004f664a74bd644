import { releaseFolder } from '#libs/config';

/** The folder that holds package.json. */
export const REPOSITORY = releaseFolder();
