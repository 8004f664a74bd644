export { Credit } from './credits.dto';
export { CREDIT, CREDITS } from './credits.resource';
export { exceededCredits } from './exceeded-credits';
export { creditsToUndo } from './undo-credits';
