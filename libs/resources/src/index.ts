export { JsonText } from './json-text';
export * from './list-declaration';
export { type ListRequest, listRequestOf, parametersOf } from './list-request';
export { Lists } from './lists';
export * from './money.dto';
export { IsEachOf, IsOneOf } from './nested';
export * from './parameters';
export { Reads } from './reads';
export { type Bind, instant, price, type Resource, type Values } from './resource';
