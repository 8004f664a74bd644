export { Act, type Acting } from '#libs/http';
