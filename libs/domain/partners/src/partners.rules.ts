import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsOptional, IsUrl, ValidateNested } from 'class-validator';
import { Uri } from '#platform/validation';

/** The pattern of the name of a partner. */
export const NAME = /^(\S).+$/;

/** A URL that visitors can open. */
export const IsLink = () =>
  applyDecorators(
    Uri(),
    IsOptional(),
    IsUrl(
      { protocols: ['http', 'https'], require_protocol: true },
      { message: '$property must be an http or https URL' },
    ),
  );

/** Applies the rules of the class to an object, or to each of a list. */
export const Nested = (of: () => new () => object) =>
  applyDecorators(IsOptional(), ValidateNested(), Type(of));
