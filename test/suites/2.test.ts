import { runSuite } from './suite';

runSuite(1);
