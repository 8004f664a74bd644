export { Credit } from './credits.dto';
export { CREDIT, CREDITS } from './credits.resource';
export { creditsToUndo } from './undo-credits';
