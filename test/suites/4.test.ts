import { runSuite } from './suite';

runSuite(3);
