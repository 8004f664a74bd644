import { runSuite } from './suite';

runSuite(2);
