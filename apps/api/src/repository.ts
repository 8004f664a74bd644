import { releaseFolder } from '#platform/config';

/** The folder that holds package.json. */
export const REPOSITORY = releaseFolder();
