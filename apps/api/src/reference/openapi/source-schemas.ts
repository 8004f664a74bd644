import * as ts from 'typescript';
import { keywordsOf } from '#platform/validation';
import { describe, enumOrConst, orNull, REF, type Schema } from './schema';
import { docsOf } from './source-docs';

/** The exported classes of the files by name, whose properties have decorators. */
export type Classes = Record<string, { prototype: object }>;

/**
 * Returns a JSON Schema for every exported class of the given `*.dto.ts` files, by class name.
 *
 * The type of a property determines its schema (`| null`, unions, literals, arrays, `Record`, nested classes), `?`
 * makes it optional, its comment is the description, and its decorators state the rest. An exported union of literals becomes a
 * separate schema with its name. Throws with file and line if a type has no JSON equivalent or two schemas would have the same
 * name.
 */
export function schemasFromSource(
  files: string[],
  tsconfigPath: string,
  classes: Classes,
): Map<string, Schema> {
  const { config } = ts.readConfigFile(tsconfigPath, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ts.sys.getCurrentDirectory());
  const host = ts.createCompilerHost(options);
  // No DTO has a type of a package, and their declarations are most of what there is to read.
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) =>
      /^[.#]/.test(text) ? ts.resolveModuleName(text, from, options, host) : { resolvedModule: undefined },
    );
  const program = ts.createProgram(files, { ...options, types: [] }, host);
  const reader = new SourceReader(program.getTypeChecker(), classes);
  for (const file of files) {
    const source = program.getSourceFile(file);
    for (const statement of source?.statements ?? []) {
      if (ts.isClassDeclaration(statement) && isExported(statement)) reader.readClass(statement);
    }
  }
  return reader.schemas;
}

class SourceReader {
  readonly schemas = new Map<string, Schema>();
  private readonly declaredBy = new Map<string, ts.Declaration>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly classes: Classes,
  ) {}

  readClass(declaration: ts.ClassDeclaration): Schema {
    const name = declaration.name?.text ?? 'default';
    if (this.claim(name, declaration)) this.schemas.set(name, this.classSchema(declaration));
    return { $ref: REF + name };
  }

  private classSchema(declaration: ts.ClassDeclaration): Schema {
    const symbol = this.checker.getSymbolAtLocation(declaration.name as ts.Identifier) as ts.Symbol;
    const exported = this.classes[symbol.name];
    if (!exported) throw new SourceError(declaration, `${symbol.name} is not exported by a *.dto.ts file`);
    const all = this.checker
      .getPropertiesOfType(this.checker.getDeclaredTypeOfSymbol(symbol))
      .filter((property) => property.declarations?.some(ts.isPropertyDeclaration));
    const isOwn = (property: ts.Symbol) => property.valueDeclaration?.parent === declaration;
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const property of [...all.filter((one) => !isOwn(one)), ...all.filter(isOwn)]) {
      const node = property.declarations?.find(ts.isPropertyDeclaration) as ts.PropertyDeclaration;
      if (!node.type) throw new SourceError(node, `${property.name} needs a written type`);
      const { description, keywords } = docsOf(property, this.checker);
      properties[property.name] = describe(this.schemaOf(node.type), {
        description,
        keywords: { ...keywords, ...keywordsOf(exported.prototype, property.name) },
      });
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
    }
    return describe(
      { type: 'object', properties, ...(required.length > 0 && { required }) },
      docsOf(symbol, this.checker),
    );
  }

  private schemaOf(node: ts.TypeNode): Schema {
    switch (node.kind) {
      case ts.SyntaxKind.StringKeyword:
        return { type: 'string' };
      case ts.SyntaxKind.NumberKeyword:
        return { type: 'number' };
      case ts.SyntaxKind.BooleanKeyword:
        return { type: 'boolean' };
      case ts.SyntaxKind.ObjectKeyword:
        return { type: 'object' };
      case ts.SyntaxKind.UnknownKeyword:
        return {};
    }
    if (ts.isParenthesizedTypeNode(node)) return this.schemaOf(node.type);
    if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword) {
      return this.schemaOf(node.type);
    }
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.schemaOf(node.elementType) };
    if (ts.isUnionTypeNode(node)) return this.union(node);
    if (ts.isTypeReferenceNode(node)) return this.reference(node);
    const values = this.literalValues(node);
    if (values) return { type: typeof values[0], ...enumOrConst(values) };
    throw new SourceError(node, `${node.getText()} has no JSON Schema here`);
  }

  private union(node: ts.UnionTypeNode): Schema {
    const isNullish = (member: ts.TypeNode) =>
      member.kind === ts.SyntaxKind.UndefinedKeyword ||
      (ts.isLiteralTypeNode(member) && member.literal.kind === ts.SyntaxKind.NullKeyword);
    const nullable = node.types.some((member) => member.getText() === 'null');
    const members = node.types.filter((member) => !isNullish(member));
    if (members.every(ts.isLiteralTypeNode)) {
      const values = members.flatMap((member) => this.literalValues(member) ?? []);
      return orNull({ type: typeof values[0], ...enumOrConst(values) }, nullable);
    }
    const schemas = members.map((member) => this.schemaOf(member));
    return orNull(schemas.length === 1 ? (schemas[0] as Schema) : { oneOf: schemas }, nullable);
  }

  private reference(node: ts.TypeReferenceNode): Schema {
    const name = node.typeName.getText();
    const [first, second] = node.typeArguments ?? [];
    if ((name === 'Array' || name === 'ReadonlyArray') && first) {
      return { type: 'array', items: this.schemaOf(first) };
    }
    if (name === 'Partial' && first) return this.schemaOf(first);
    if (name === 'Record' && first && second) {
      const keys = this.schemaOf(first);
      const values = this.schemaOf(second);
      return {
        type: 'object',
        ...(keys.type === 'string' && !keys.enum ? {} : { propertyNames: keys }),
        additionalProperties: Object.keys(values).length > 0 ? values : true,
      };
    }
    const symbol = this.resolve(node.typeName);
    const declaration = symbol.declarations?.[0];
    if (!declaration || node.typeArguments) {
      throw new SourceError(node, `${node.getText()} has no JSON Schema here`);
    }
    if (ts.isClassDeclaration(declaration)) return this.readClass(declaration);
    if (ts.isTypeAliasDeclaration(declaration)) {
      if (isExported(declaration) && this.literalValues(node)) {
        return this.namedEnum(name, declaration, node, symbol);
      }
      return describe(this.schemaOf(declaration.type), docsOf(symbol, this.checker));
    }
    throw new SourceError(node, `${name} is neither a class nor a type alias`);
  }

  private namedEnum(name: string, declaration: ts.Declaration, node: ts.TypeNode, symbol: ts.Symbol): Schema {
    if (this.claim(name, declaration)) {
      const values = this.literalValues(node) ?? [];
      this.schemas.set(
        name,
        describe({ type: typeof values[0], enum: values }, docsOf(symbol, this.checker)),
      );
    }
    return { $ref: REF + name };
  }

  /** The values of a union of string or number literals, in the order of the source. */
  private literalValues(node: ts.TypeNode): (string | number)[] | undefined {
    if (ts.isParenthesizedTypeNode(node)) return this.literalValues(node.type);
    if (ts.isLiteralTypeNode(node)) return literals([this.checker.getTypeFromTypeNode(node)]);
    if (ts.isUnionTypeNode(node)) {
      const values = node.types.map((member) => this.literalValues(member));
      return values.every((one) => one !== undefined) ? values.flat() : undefined;
    }
    if (ts.isIndexedAccessTypeNode(node)) {
      const list = this.checker.getTypeFromTypeNode(node.objectType);
      return this.checker.isTupleType(list)
        ? literals(this.checker.getTypeArguments(list as ts.TypeReference))
        : undefined;
    }
    if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword) {
      return this.checker
        .getTypeFromTypeNode(node.type)
        .getProperties()
        .map((property) => property.name);
    }
    if (!ts.isTypeReferenceNode(node)) return undefined;
    const declaration = this.resolve(node.typeName).declarations?.[0];
    if (declaration && ts.isTypeAliasDeclaration(declaration)) return this.literalValues(declaration.type);
    return undefined;
  }

  private resolve(name: ts.EntityName): ts.Symbol {
    const found = this.checker.getSymbolAtLocation(name);
    const symbol = found && found.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(found) : found;
    if (!symbol?.declarations) throw new SourceError(name, `${name.getText()} is declared nowhere`);
    return symbol;
  }

  /** True for the first declaration of a name; throws for a second one. */
  private claim(name: string, declaration: ts.Declaration): boolean {
    const earlier = this.declaredBy.get(name);
    if (earlier && earlier !== declaration) {
      throw new SourceError(declaration, `${name} is also declared in ${earlier.getSourceFile().fileName}`);
    }
    this.declaredBy.set(name, declaration);
    return !earlier;
  }
}

class SourceError extends Error {
  constructor(node: ts.Node, message: string) {
    const source = node.getSourceFile();
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    super(`${source.fileName}:${line + 1}: ${message}`);
  }
}

function isExported(node: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;
}

function literals(types: readonly ts.Type[]): (string | number)[] | undefined {
  return types.every((type) => type.isStringLiteral() || type.isNumberLiteral())
    ? types.map((type) => (type as ts.StringLiteralType).value)
    : undefined;
}
