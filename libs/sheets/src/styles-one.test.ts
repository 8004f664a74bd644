import { describeStyles } from './testing/styles-of-values';

describeStyles(0, 64_000);
