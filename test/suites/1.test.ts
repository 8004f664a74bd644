import { runSuite } from './suite';

runSuite(0);
