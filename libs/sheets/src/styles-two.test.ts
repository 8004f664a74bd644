import { describeStyles } from './testing/styles-of-values';

describeStyles(1, 36_000);
