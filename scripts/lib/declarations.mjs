/**
 * What the package's doors export, as their users see it: names and groups from a door's source (`// # Title` begins a group, the lines
 * under it are its words), declarations and doc comments from the build. Out: the groups, and the types of ours that their declarations
 * name without exporting them.
 */
import {
  isExpressionWithTypeArguments,
  isInterfaceDeclaration,
  isTypeReferenceNode,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API, SymbolFlags } from 'typescript/unstable/sync';

/**
 * @typedef {{ readonly name: string, readonly comment: string, readonly code: string }} Entry
 * @typedef {{ readonly title: string, readonly words: string, readonly entries: readonly Entry[] }} Group
 * @typedef {{ readonly source: string, readonly built: string }} Door
 */

/** @param {string} root with a slash at its end @param {readonly Door[]} doors @returns {{ groups: readonly Group[], named: readonly Entry[] }} */
export function readDoors(root, doors) {
  const api = new API({ cwd: root });
  try {
    const openFiles = doors.flatMap(({ source, built }) => [root + source, root + built]);
    const projects = api.updateSnapshot({ openFiles }).getProjects();
    const reader = new Reader(root, projects);
    const groups = doors.flatMap((door) => reader.groups(door));
    return { groups, named: reader.named() };
  } finally {
    api.close();
  }
}

class Reader {
  #root;
  #projects;
  /** Of the built files. */
  #checker;
  /** Ids of symbols that are told of. */
  #told = new Set();
  /** Types that told declarations name, by id, each with the checker that knows its file. */
  #named = new Map();

  constructor(root, projects) {
    this.#root = root;
    this.#projects = projects;
  }

  groups({ source, built }) {
    const symbols = this.#exported(built);
    const groups = [];
    for (const statement of this.#open(source).file.statements) {
      const trivia = statement.getFullText().slice(0, -statement.getText().length);
      for (const [, title, words] of trivia.matchAll(/^\/\/ # (.+)\n((?:\/\/ .+\n)*)/gm))
        groups.push({ title, words: words.replace(/^\/\/ /gm, '').trim(), entries: [] });
      const group = groups.at(-1);
      if (group === undefined) throw new Error(`${source}: there is no group above ${statement.getText()}`);
      for (const name of namesOf(statement)) group.entries.push(this.#entry(name, symbols.get(name), trivia));
    }
    return groups;
  }

  /** Types that are named but not exported, and those that they name in turn, by name. */
  named() {
    const entries = [];
    // Telling of one may add to those that are still to come.
    for (const [id, { symbol, checker }] of this.#named) {
      this.#checker = checker;
      if (!this.#told.has(id)) entries.push({ name: symbol.name, ...this.#tell(symbol) });
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #open(path) {
    const name = this.#root + path;
    for (const { program, checker } of this.#projects) {
      const file = program.getSourceFile(name);
      if (file !== undefined) return { file, checker };
    }
    throw new Error(`${path} can't be read; run: npm run build`);
  }

  #exported(built) {
    const { file, checker } = this.#open(built);
    this.#checker = checker;
    const names = [...file.statements].flatMap(({ exportClause: clause }) => [
      ...(clause.elements ?? [clause]),
    ]);
    return new Map(names.map(({ name }) => [name.text, this.#target(checker.getSymbolAtLocation(name))]));
  }

  #target(symbol) {
    const isAlias = symbol !== undefined && (symbol.flags & SymbolFlags.Alias) !== 0;
    return isAlias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  /** What is not one declaration of ours is told of by the comment above the export itself. */
  #entry(name, symbol, trivia) {
    const above = commentAtEnd(trivia);
    if (!this.#isOurs(symbol)) return { name, comment: above, code: '' };
    if ((symbol.flags & SymbolFlags.ValueModule) === 0) return { name, ...this.#tell(symbol) };
    this.#told.add(symbol.id);
    return { name, comment: above, code: this.#members(symbol) };
  }

  /** What a module exports that can be called, in one text; throws where one of it has no doc comment. */
  #members(symbol) {
    const members = this.#checker.getExportsOfModule(symbol).map((member) => this.#target(member));
    const called = members.filter(
      ({ flags }) => (flags & (SymbolFlags.Function | SymbolFlags.Variable)) !== 0,
    );
    const parts = called.map((member) => {
      const { comment, code } = this.#tell(member);
      if (comment === '') throw new Error(`${member.name} is exported without a doc comment`);
      return `/** ${comment.replaceAll('\n', '\n * ')} */\n${code}`;
    });
    return parts.join('\n');
  }

  #tell(symbol) {
    this.#told.add(symbol.id);
    const nodes = symbol.declarations.map((handle) => handle.resolve());
    const [first] = nodes;
    const heritage = (first.heritageClauses ?? []).map((clause) => clause.getText()).join(' ');
    if (isInterfaceDeclaration(first) && /\btypeof\b/.test(heritage))
      return this.#madeInterface(symbol, first);
    for (const node of nodes) this.#nameTypes(node);
    const statements = nodes.map((node) => (isVariableDeclaration(node) ? node.parent.parent : node));
    const comments = statements.map((statement) =>
      commentAtEnd(statement.getFullText().slice(0, -statement.getText().length)),
    );
    const code = statements.map(shownCode).join('\n');
    // A type made of a list of ours is shown as what it comes to.
    const isMade = /^type \w+ =[^{]*\btypeof .*\[/.test(code);
    const made = isMade ? this.#checker.typeToString(this.#checker.getDeclaredTypeOfSymbol(symbol)) : '';
    return { comment: comments.join('\n').trim(), code: isMade ? `type ${symbol.name} = ${made};` : code };
  }

  /** An interface whose fields follow from columns of ours is shown as what it comes to. */
  #madeInterface(symbol, node) {
    const properties = this.#checker.getPropertiesOfType(this.#checker.getDeclaredTypeOfSymbol(symbol));
    const fields = properties.map((property) => {
      const field = property.declarations[0].resolve();
      // A column's type has the field's as an argument.
      const isOwn = node.members.includes(field);
      for (const one of isOwn ? [field] : field.type.typeArguments) this.#nameTypes(one);
      const above = field.getFullText().slice(0, -field.getText().length).trimStart();
      if (isOwn) return above + field.getText();
      const type = this.#checker.typeToString(this.#checker.getTypeOfSymbol(property));
      const isOptional = (property.flags & SymbolFlags.Optional) !== 0;
      const told = isOptional ? `?: ${type.replace(/ \| undefined$/, '')}` : `: ${type}`;
      return `${above}${property.name}${told};`;
    });
    const above = node.getFullText().slice(0, -node.getText().length);
    return {
      comment: commentAtEnd(above),
      code: `interface ${symbol.name} {\n${fields.join('\n')}\n}`,
    };
  }

  #nameTypes(node) {
    const names = [];
    const visit = (one) => {
      if (isTypeReferenceNode(one)) names.push(one.typeName);
      if (isExpressionWithTypeArguments(one)) names.push(one.expression);
      one.forEachChild(visit);
    };
    visit(node);
    if (names.length === 0) return;
    for (const found of this.#checker.getSymbolAtLocation(names)) {
      const symbol = this.#target(found);
      const isParameter = symbol === undefined || (symbol.flags & SymbolFlags.TypeParameter) !== 0;
      if (!isParameter && this.#isShared(symbol))
        this.#named.set(symbol.id, { symbol, checker: this.#checker });
    }
  }

  /** Whether its own file exports it: what it does not is a detail of a type that is told of. */
  #isShared(symbol) {
    return this.#isOurs(symbol) && symbol.declarations[0].resolve().getText().startsWith('export ');
  }

  #isOurs({ declarations }) {
    const file = declarations[0]?.resolve()?.getSourceFile().fileName;
    return file?.startsWith(`${this.#root}dist/`) === true;
  }
}

/** What an export statement exports. */
function namesOf({ exportClause }) {
  return [...(exportClause.elements ?? [exportClause])].map(({ name }) => name.text);
}

/** The doc comment right above a declaration, as words; empty where there is none. */
function commentAtEnd(trivia) {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(trivia)?.[1] ?? '';
  return comment.replace(/^\s*\* ?/gm, '').trim();
}

/** A declaration as its users need it. */
function shownCode(statement) {
  return statement
    .getText()
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replace(/^ {4}(?:#private|private .*);\n/gm, '');
}
