import { type CanActivate, Injectable } from '@nestjs/common';

/** After the key: is the key's allowance for this endpoint used up. */
@Injectable()
export class RateGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}
