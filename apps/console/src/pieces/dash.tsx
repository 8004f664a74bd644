/** In place of a value that there is not. */
export const Dash = () => <span className="dim">–</span>;
