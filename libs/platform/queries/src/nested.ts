import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';

// ValidateNested alone accepts an array and validates its items instead.

/** Validates an object by the rules of the class. */
export const IsOneOf = (of: () => new () => object) =>
  applyDecorators(IsObject({ message: '$property must be an object' }), ValidateNested(), Type(of));

/** Validates items by the rules of the class. Use it with a rule for the array. */
export const IsEachOf = (of: () => new () => object) =>
  applyDecorators(
    IsObject({ each: true, message: '$property must contain objects' }),
    ValidateNested({ each: true }),
    Type(of),
  );
