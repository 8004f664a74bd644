import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';

// ValidateNested alone takes an array for an object, and checks its items, if any, in the object's place.

/** An object that keeps the rules of the class. */
export const IsOneOf = (of: () => new () => object) =>
  applyDecorators(IsObject({ message: '$property must be an object' }), ValidateNested(), Type(of));

/** Objects that keep the rules of the class; that they are in an array is a rule of its own. */
export const IsEachOf = (of: () => new () => object) =>
  applyDecorators(
    IsObject({ each: true, message: '$property must contain objects' }),
    ValidateNested({ each: true }),
    Type(of),
  );
