// deno-lint-ignore-file -- a tool for one change of the house, removed with it
// Joins and moves TypeScript modules, and rewrites every import, path and doc example. It needs typescript 5.9 from npm:
//
//     npm install --prefix FOLDER typescript@5.9.3 && cp join_modules.mjs FOLDER && node FOLDER/join_modules.mjs ROOT plan.json [--dry]
//
// The plan: { folders: {old prefix: new prefix}, joins: {new path: [old path…]}, intro: {new path: text}, rename: {"old path#name": new name} }.
// With --dry it only reports: files that would be lost, import cycles, modules that would be evaluated before what they need, and names that collide.
import ts from "typescript";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";

const [root, planPath, flag] = process.argv.slice(2);
const plan = {
  folders: {},
  joins: {},
  intro: {},
  rename: {},
  houses: {},
  keepExports: [],
  ...JSON.parse(readFileSync(planPath, "utf8")),
};
const dry = flag === "--dry";
const abs = (p) => resolve(root, p), rel = (p) => relative(root, p).replaceAll("\\", "/");
const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1 << 28,
}).split("\n").filter((f) => f && existsSync(abs(f)));
const code = tracked.filter((f) => /\.tsx?$/.test(f) && !f.endsWith(".d.ts"));
const problems = [], notes = [];

// ---- where each file goes
const destination = new Map();
for (const [to, from] of Object.entries(plan.joins)) {
  for (const f of [...from]) {
    if (!code.includes(f)) {
      console.log(`note: no file ${f} (for ${to})`);
      from.splice(from.indexOf(f), 1);
      if (!from.length) delete plan.joins[to];
      continue;
    }
    if (destination.has(f)) problems.push(`${f} goes to ${destination.get(f)} and ${to}`);
    destination.set(f, to);
  }
}
const prefixes = Object.entries(plan.folders).sort((a, b) => b[0].length - a[0].length);
for (const f of code) {
  if (destination.has(f)) continue;
  const hit = prefixes.find(([old]) => f === old || (old.endsWith("/") && f.startsWith(old)));
  destination.set(f, hit ? (f === hit[0] ? hit[1] : hit[1] + f.slice(hit[0].length)) : f);
}
if (problems.length) {
  for (const p of problems) console.log("PROBLEM:", p);
  process.exit(1);
}
const targets = new Map();
for (const [to, from] of Object.entries(plan.joins)) targets.set(to, [...from]);
for (const f of code) {
  if (!Object.values(plan.joins).some((l) => l.includes(f))) {
    const to = destination.get(f);
    if (targets.has(to)) problems.push(`${f} would overwrite ${to}`);
    else targets.set(to, [f]);
  }
}
const houseOf = (p) => Object.keys(plan.houses).find((h) => p.startsWith(h));

// ---- program
const program = ts.createProgram(code.map(abs), {
  allowImportingTsExtensions: true,
  noEmit: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ESNext,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts"],
  skipLibCheck: true,
  types: [],
  noLib: true,
});
const checker = program.getTypeChecker();
const resolveSpec = (from, spec) => {
  if (spec.startsWith(".")) {
    const p = posix.normalize(posix.join(posix.dirname(from), spec));
    return code.includes(p) ? p : undefined;
  }
};
const codeSet = new Set(code);
const fast = (from, spec) => {
  if (!spec.startsWith(".")) return;
  const p = posix.normalize(posix.join(posix.dirname(from), spec));
  return codeSet.has(p) ? p : undefined;
};

const files = new Map();
for (const f of code) {
  const sf = program.getSourceFile(abs(f));
  const info = {
    f,
    sf,
    text: sf.text,
    imports: [],
    reexports: [],
    exportLists: [],
    refs: [],
    free: new Set(),
    top: new Map(),
    dynamic: [],
    idTexts: new Set(),
  };
  for (const [name, sym] of sf.locals ?? []) info.top.set(String(name), sym);
  for (const st of sf.statements) {
    if (ts.isImportDeclaration(st)) {
      const spec = st.moduleSpecifier.text, target = fast(f, spec), c = st.importClause, names = [];
      if (c?.name) {
        names.push({ kind: "default", imported: "default", local: c.name.text, type: c.isTypeOnly });
      }
      if (c?.namedBindings && ts.isNamespaceImport(c.namedBindings)) {
        names.push({ kind: "ns", imported: "*", local: c.namedBindings.name.text, type: c.isTypeOnly });
      }
      if (c?.namedBindings && ts.isNamedImports(c.namedBindings)) {
        for (const e of c.namedBindings.elements) {
          names.push({
            kind: "named",
            imported: (e.propertyName ?? e.name).text,
            local: e.name.text,
            type: c.isTypeOnly || e.isTypeOnly,
          });
        }
      }
      info.imports.push({ st, spec, target, names, bare: !c, attributes: st.attributes?.getText(sf) });
    } else if (ts.isExportDeclaration(st)) {
      const names = st.exportClause && ts.isNamedExports(st.exportClause)
        ? st.exportClause.elements.map((e) => ({
          local: (e.propertyName ?? e.name).text,
          exported: e.name.text,
          type: st.isTypeOnly || e.isTypeOnly,
        }))
        : undefined;
      if (st.moduleSpecifier) {
        info.reexports.push({
          st,
          spec: st.moduleSpecifier.text,
          target: fast(f, st.moduleSpecifier.text),
          names,
        });
      } else info.exportLists.push({ st, names });
    }
  }
  const walk = (n) => {
    if (ts.isImportDeclaration(n) || (ts.isExportDeclaration(n) && n.moduleSpecifier)) return;
    if (
      ts.isCallExpression(n) && n.expression.kind === ts.SyntaxKind.ImportKeyword && n.arguments[0] &&
      ts.isStringLiteralLike(n.arguments[0])
    ) {
      info.dynamic.push({
        node: n.arguments[0],
        target: fast(f, n.arguments[0].text),
        spec: n.arguments[0].text,
      });
    }
    if (ts.isImportTypeNode(n) && ts.isLiteralTypeNode(n.argument)) {
      info.dynamic.push({
        node: n.argument.literal,
        target: fast(f, n.argument.literal.text),
        spec: n.argument.literal.text,
        isType: true,
      });
    }
    if (ts.isIdentifier(n)) {
      info.idTexts.add(n.text);
      const p = n.parent;
      const isProp = (ts.isPropertyAccessExpression(p) && p.name === n) ||
        (ts.isQualifiedName(p) && p.right === n) || (ts.isPropertyAssignment(p) && p.name === n) ||
        ((ts.isMethodDeclaration(p) || ts.isPropertyDeclaration(p) || ts.isPropertySignature(p) ||
          ts.isMethodSignature(p) || ts.isGetAccessor(p) || ts.isSetAccessor(p) || ts.isEnumMember(p)) &&
          p.name === n) ||
        (ts.isBindingElement(p) && p.propertyName === n) || ts.isLabeledStatement(p) ||
        ts.isBreakOrContinueStatement(p) || (ts.isNamedTupleMember(p) && p.name === n) ||
        (ts.isImportTypeNode(p) && p.qualifier === n) || ts.isMetaProperty(p) || ts.isJSDoc?.(p);
      if (!isProp) {
        let sym = ts.isShorthandPropertyAssignment(p)
          ? checker.getShorthandAssignmentValueSymbol(p)
          : checker.getSymbolAtLocation(n);
        if (ts.isExportSpecifier(p)) sym = checker.getExportSpecifierLocalTargetSymbol(p) ?? sym;
        const top = info.top.get(n.text);
        if (
          sym && top &&
          (sym === top || sym === top.exportSymbol || top.exportSymbol === sym ||
            (sym.declarations?.[0] && sym.declarations[0] === top.declarations?.[0]))
        ) info.refs.push({ node: n, name: n.text });
        else if (!sym || !(sym.declarations ?? []).some((d) => d.getSourceFile() === sf)) {
          info.free.add(n.text);
        }
      }
    }
    ts.forEachChild(n, walk);
  };
  walk(sf);
  files.set(f, info);
}
const importLocal = (info, name) =>
  info.imports.flatMap((i) => i.names.map((n) => ({ ...n, i }))).find((n) => n.local === name);
const isImport = (info, name) => importLocal(info, name) !== undefined;
// Resolves name exported by file to the file that declares it: { f, name } (through re-exports)
function origin(f, name, seen = new Set()) {
  const key = f + "#" + name;
  if (seen.has(key)) return { f, name };
  seen.add(key);
  const info = files.get(f);
  for (const r of info.reexports) {
    if (r.names) {
      const hit = r.names.find((n) => n.exported === name);
      if (hit && r.target) return origin(r.target, hit.local, seen);
      if (hit) return { f, name };
    }
  }
  for (const l of info.exportLists) {
    const hit = l.names.find((n) => n.exported === name);
    if (hit) {
      const im = importLocal(info, hit.local);
      return im?.i.target ? origin(im.i.target, im.imported, seen) : { f, name: hit.local };
    }
  }
  if (info.top.has(name) && !isImport(info, name)) return { f, name };
  for (const r of info.reexports) {
    if (!r.names && r.target) {
      const o = origin(r.target, name, seen), oi = files.get(o.f);
      if (
        oi.top.has(o.name) && !isImport(oi, o.name) &&
        checker.getSymbolAtLocation(oi.sf)?.exports?.has(o.name)
      ) return o;
    }
  }
  return { f, name };
}
const isPlan = (to) => to in plan.joins && plan.joins[to].length > 1;

// ---- names in each target
const finalName = new Map(); // "file#decl" -> name
for (const [to, parts] of targets) {
  const taken = new Map(); // name -> owner
  if (parts.length === 1) {
    for (const n of files.get(parts[0]).top.keys()) finalName.set(`${parts[0]}#${n}`, n);
    continue;
  }
  const free = new Set();
  for (const p of parts) for (const n of files.get(p).free) free.add(n);
  // imports from outside claim their names first by most used
  for (const p of parts) {
    for (const [n] of files.get(p).top) {
      if (isImport(files.get(p), n)) continue;
      const key = `${p}#${n}`;
      let want = plan.rename[key] ?? n;
      if (taken.has(want) || (free.has(want))) {
        const stem = p.split("/").at(-1).replace(/^_/, "").replace(/\.ts$/, "");
        const camel = stem.replace(/_(\w)/g, (_, c) => c.toUpperCase());
        const isConst = /^[A-Z0-9_]+$/.test(n), isType = /^[A-Z]/.test(n) && !isConst;
        let auto = isConst
          ? `${stem.toUpperCase()}_${n}`
          : isType
          ? camel[0].toUpperCase() + camel.slice(1) + n
          : camel + n[0].toUpperCase() + n.slice(1);
        if (want === n || taken.has(want)) {
          notes.push(
            `${to}: ${n} of ${p} collides with ${taken.get(want) ?? "a global name"}; renamed ${auto}`,
          );
          want = auto;
        }
      }
      taken.set(want, p);
      finalName.set(key, want);
    }
  }
}

// ---- what is evaluated while a joined module loads must stand after what it needs
for (const [to, parts] of targets) {
  if (parts.length === 1) continue;
  const at = new Map(), fnRefs = new Map(), classRefs = new Map(); // "file#name" -> index of part, for consts and classes; function -> refs
  const key = (p, n) => {
    const info = files.get(p), im = importLocal(info, n);
    if (!im) return `${p}#${n}`;
    if (!im.i.target) return;
    const o = origin(im.i.target, im.imported);
    return `${o.f}#${o.name}`;
  };
  const refsOf = (p, node, deep) => {
    const info = files.get(p), names = new Set();
    const go = (n) => {
      if (!deep && n !== node && (ts.isFunctionLike(n) && !ts.isClassStaticBlockDeclaration(n))) return;
      if (ts.isExpressionWithTypeArguments(n)) {
        go(n.expression);
        return;
      }
      if (ts.isTypeNode(n)) return;
      if (ts.isIdentifier(n) && info.refs.some((r) => r.node === n)) names.add(key(p, n.text));
      ts.forEachChild(n, go);
    };
    go(node);
    return [...names].filter(Boolean);
  };
  parts.forEach((p, i) => {
    for (const st of files.get(p).sf.statements) {
      if (ts.isVariableStatement(st)) {
        for (const d of st.declarationList.declarations) {
          if (ts.isIdentifier(d.name)) at.set(`${p}#${d.name.text}`, i);
        }
      }
      if (ts.isClassDeclaration(st) && st.name) {
        at.set(`${p}#${st.name.text}`, i);
        classRefs.set(`${p}#${st.name.text}`, refsOf(p, st, true));
      }
      if (ts.isEnumDeclaration(st)) at.set(`${p}#${st.name.text}`, i);
      if (ts.isFunctionDeclaration(st) && st.name) fnRefs.set(`${p}#${st.name.text}`, refsOf(p, st, true));
    }
  });
  parts.forEach((p, i) => {
    for (const st of files.get(p).sf.statements) {
      if (!(ts.isVariableStatement(st) || ts.isClassDeclaration(st) || ts.isExpressionStatement(st))) {
        continue;
      }
      const seen = new Set(),
        todo = ts.isClassDeclaration(st)
          ? (st.heritageClauses ?? []).flatMap((h) => refsOf(p, h, false)).concat(
            st.members.filter((m) =>
              ts.isPropertyDeclaration(m) && m.modifiers?.some((x) => x.kind === ts.SyntaxKind.StaticKeyword)
            ).flatMap((m) => refsOf(p, m, false)),
          )
          : refsOf(p, st, false);
      while (todo.length) {
        const k = todo.pop();
        if (seen.has(k)) continue;
        seen.add(k);
        if (at.has(k) && at.get(k) > i) {
          problems.push(`${to}: order: ${p} needs ${k} while it loads; put that part before it`);
        }
        if (fnRefs.has(k) && !ts.isClassDeclaration(st)) todo.push(...fnRefs.get(k));
        if (classRefs.has(k) && !ts.isClassDeclaration(st)) todo.push(...classRefs.get(k));
      }
    }
  });
}

// ---- which exported names are used from other targets
const used = new Set(); // "file#name" (origin) used outside its target
const mentioned = (text, name) => new RegExp(`(?<![\\w$])${name.replace(/\$/g, "\\$")}(?![\\w$])`).test(text);
for (const info of files.values()) {
  const to = destination.get(info.f);
  const mark = (f, name) => {
    const o = origin(f, name);
    if (destination.get(o.f) !== to) used.add(`${o.f}#${o.name}`);
  };
  for (const i of info.imports) {
    if (i.target) {
      for (const n of i.names) {
        if (n.kind === "named") mark(i.target, n.imported);
        else if (n.kind === "ns" && destination.get(i.target) !== to) {
          for (const e of files.get(i.target).top.keys()) {
            used.add(`${i.target}#${e}`);
          }
        }
      }
    }
  }
  for (const r of info.reexports) {
    if (r.target) {
      if (r.names) r.names.forEach((n) => mark(r.target, n.local));
      else for (const e of exportsOf(r.target)) mark(r.target, e);
    }
  }
  for (const d of info.dynamic) {
    if (d.target) {
      if (destination.get(d.target) === to && !d.isType) {
        problems.push(`${info.f} imports ${d.target} late, but both go to ${to}`);
      }
      for (const e of exportsOf(d.target)) {
        if (mentioned(info.text, e)) {
          const o = origin(d.target, e);
          if (destination.get(o.f) !== to) used.add(`${o.f}#${o.name}`);
        }
      }
    }
  }
  for (const m of info.text.matchAll(/^\s*(?:\*|\/\/)\s*import (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm)) {
    const t = fast(info.f, m[2]);
    if (t) {
      for (const n of m[1].split(",")) {
        const o = origin(t, n.trim().replace(/^type /, "").split(" as ")[0]);
        used.add(`${o.f}#${o.name}`);
      }
    }
  }
}
function exportsOf(f, seen = new Set()) {
  if (seen.has(f)) return [];
  seen.add(f);
  const info = files.get(f), sym = checker.getSymbolAtLocation(info.sf);
  const out = new Set(
    sym?.exports ? [...sym.exports.keys()].map(String).filter((n) => !n.startsWith("__")) : [],
  );
  for (const r of info.reexports) {
    if (!r.names && r.target) { for (const e of exportsOf(r.target, seen)) out.add(e); }
  }
  return [...out];
}

// ---- faces of houses
const faceNeeds = new Map(); // mod path -> Map(exported name -> {from, name, type})
function specFor(fromTo, targetTo) {
  let r = posix.relative(posix.dirname(fromTo), targetTo);
  if (!r.startsWith(".")) r = "./" + r;
  return r;
}
function locate(to, o, isType) { // specifier and name under which target `to` gets origin o
  const dest = destination.get(o.f), name = finalName.get(`${o.f}#${o.name}`) ?? o.name;
  const h = houseOf(dest), mine = houseOf(to);
  if (h && h !== mine && to.startsWith("lib/")) {
    const mod = `${h}mod.ts`;
    if (!faceNeeds.has(mod)) faceNeeds.set(mod, new Map());
    const entry = faceNeeds.get(mod).get(name);
    if (entry && entry.dest !== dest) {
      problems.push(`two names ${name} on the face of ${h}: ${entry.dest}, ${dest}`);
    }
    faceNeeds.get(mod).set(name, { dest, name, type: (entry?.type ?? true) && isType });
    return { spec: plan.houses[h], name };
  }
  return { spec: specFor(to, dest), name };
}
var typeDecl = (o) => {
  const s = files.get(o.f)?.top.get(o.name);
  return s !== undefined && !((s.exportSymbol ?? s).flags & ts.SymbolFlags.Value) &&
    !(s.flags & ts.SymbolFlags.Value);
};

// ---- write
const output = new Map();
for (const [to, parts] of targets) {
  const imports = new Map(); // spec -> Map(local -> {imported, type, kind})
  const sideEffects = new Set(), attributes = new Map(), tsTypes = new Map();
  const byOrigin = new Map();
  const localOf = new Map(); // import identity -> local name
  const names = new Set(
    parts.flatMap((p) =>
      [...files.get(p).top.keys()].filter((n) => !isImport(files.get(p), n)).map((n) =>
        finalName.get(`${p}#${n}`)
      )
    ),
  );
  const bodies = [], reexportLines = [];
  for (const p of parts) {
    const info = files.get(p), edits = [], renames = new Map();
    for (const [n] of info.top) {
      if (!isImport(info, n)) {
        const fn = finalName.get(`${p}#${n}`);
        if (fn !== n) renames.set(n, fn);
      }
    }
    for (const i of info.imports) {
      const note = (ts.getLeadingCommentRanges(info.text, i.st.getFullStart()) ?? []).map((
        c,
      ) => [c, info.text.slice(c.pos, c.end)]).find(([, t]) => t.includes("@ts-types"));
      edits.push([note ? note[0].pos : i.st.getStart(info.sf), i.st.end, "\0"]);
      if (note) {
        const m = /"(\.[^"]+)"/.exec(note[1]);
        tsTypes.set(
          i.spec.startsWith(".")
            ? specFor(to, posix.normalize(posix.join(posix.dirname(p), i.spec)))
            : i.spec,
          `// @ts-types="${specFor(to, posix.normalize(posix.join(posix.dirname(p), m[1])))}"`,
        );
      }
      if (i.bare) {
        sideEffects.add(i.target ? specFor(to, destination.get(i.target)) : i.spec);
        continue;
      }
      for (const n of i.names) {
        let spec, imported = n.imported, kind = n.kind, isType = n.type;
        if (i.target && n.kind === "named") {
          const o = origin(i.target, n.imported);
          // A face that the program asks for keeps its path unless it is joined or moved.
          const viaFace = destination.get(i.target) !== destination.get(o.f) &&
            !(houseOf(destination.get(o.f)) && houseOf(destination.get(o.f)) !== houseOf(to) &&
              to.startsWith("lib/"));
          if (destination.get(o.f) === to) {
            const fn = finalName.get(`${o.f}#${o.name}`);
            if (fn !== n.local) renames.set(n.local, fn);
            continue;
          }
          if (viaFace && destination.get(i.target) !== to) spec = specFor(to, destination.get(i.target));
          else {
            const l = locate(to, o, isType || typeDecl(o));
            spec = l.spec;
            imported = l.name;
          }
          isType = isType || (typeDecl(o));
        } else if (i.target) {
          if (destination.get(i.target) === to) problems.push(`${p}: * import of a joined file ${i.target}`);
          spec = specFor(to, destination.get(i.target));
        } else {spec = i.spec.startsWith(".")
            ? specFor(to, posix.normalize(posix.join(posix.dirname(p), i.spec)))
            : i.spec;}
        if (i.attributes) attributes.set(spec, i.attributes);
        // One thing that is imported through two modules is imported once, from the first.
        if (i.target && kind === "named" && parts.length > 1) {
          const oo = origin(i.target, n.imported), known = byOrigin.get(`${oo.f}#${oo.name}`);
          if (known) {
            spec = known.spec;
            imported = known.imported;
          } else byOrigin.set(`${oo.f}#${oo.name}`, { spec, imported });
        }
        const id = `${spec}#${kind}#${imported}`;
        let local = localOf.get(id) ?? n.local;
        if (!localOf.has(id)) {
          const clash = (x) => names.has(x) || [...localOf.values()].includes(x);
          if (clash(local) && local !== n.local) local = n.local;
          if (clash(local)) {
            const other = local + "Of" +
              (spec.split("/").at(-1).replace(/\W.*/, "").replace(/^./, (c) => c.toUpperCase()));
            notes.push(`${to}: import ${local} from ${spec} collides; named ${other}`);
            local = other;
          }
          localOf.set(id, local);
        }
        if (local !== n.local) renames.set(n.local, local);
        if (!imports.has(spec)) imports.set(spec, new Map());
        const e = imports.get(spec).get(local);
        imports.get(spec).set(local, { imported, kind, type: isType && (e?.type ?? true) });
      }
    }
    for (const r of info.reexports) {
      edits.push([r.st.getStart(info.sf), r.st.end, "\0"]);
      if (!r.target) {
        reexportLines.push({ spec: r.spec, raw: r.names });
        continue;
      }
      if (!r.names && destination.get(r.target) !== to && targets.get(destination.get(r.target)).length > 1) {
        // A whole module that is now part of another: its own names, not those of its neighbours.
        for (const e of exportsOf(r.target)) {
          const o = origin(r.target, e), isType = typeDecl(o), l = locate(to, o, isType);
          if (destination.get(o.f) !== to) {
            reexportLines.push({ spec: l.spec, raw: [{ local: l.name, exported: e, type: isType }] });
          }
        }
        continue;
      }
      if (!r.names) {
        if (destination.get(r.target) !== to) {
          reexportLines.push({ spec: specFor(to, destination.get(r.target)) });
        }
        continue;
      }
      for (const n of r.names) {
        const o = origin(r.target, n.local), fn = finalName.get(`${o.f}#${o.name}`) ?? o.name;
        if (destination.get(o.f) === to) {
          used.add(`${o.f}#${o.name}`);
          if (fn !== n.exported) reexportLines.push({ own: `${fn} as ${n.exported}` });
          continue;
        }
        const isType = n.type || typeDecl(o);
        const l = locate(to, o, isType);
        reexportLines.push({ spec: l.spec, raw: [{ local: l.name, exported: n.exported, type: isType }] });
      }
    }
    for (const l of info.exportLists) {
      if (parts.length === 1) break;
      edits.push([l.st.getStart(info.sf), l.st.end, "\0"]);
      for (const n of l.names) {
        const im = importLocal(info, n.local),
          o = im?.i.target ? origin(im.i.target, im.imported) : { f: p, name: n.local };
        if (destination.get(o.f) === to) {
          used.add(`${o.f}#${o.name}`);
          if ((finalName.get(`${o.f}#${o.name}`) ?? o.name) !== n.exported) {
            reexportLines.push({
              own: `${n.type ? "type " : ""}${finalName.get(`${o.f}#${o.name}`)} as ${n.exported}`,
            });
          }
        } else {
          const at = locate(to, o, n.type || typeDecl(o));
          reexportLines.push({
            spec: im?.i.target ? at.spec : im.i.spec,
            raw: [{ local: at.name, exported: n.exported, type: n.type }],
          });
        }
      }
    }
    const listed = new Set(parts.length === 1 ? [] : info.exportLists.map((l) => l.st));
    for (const { node, name } of info.refs) {
      if (ts.isExportSpecifier(node.parent) && listed.has(node.parent.parent.parent)) continue;
      const fn = renames.get(name);
      if (fn === undefined) continue;
      if (info.idTexts.has(fn) && !info.top.has(fn)) {
        notes.push(`${to}: ${p} has another ${fn}; check the renamed ${name}`);
      }
      if (ts.isShorthandPropertyAssignment(node.parent)) {
        edits.push([node.getStart(info.sf), node.end, `${name}: ${fn}`]);
      } else if (
        ts.isBindingElement(node.parent) && node.parent.name === node && !node.parent.propertyName &&
        !node.parent.dotDotDotToken && ts.isObjectBindingPattern(node.parent.parent)
      ) edits.push([node.getStart(info.sf), node.end, `${name}: ${fn}`]);
      else if (ts.isExportSpecifier(node.parent)) {
        edits.push([node.parent.getStart(info.sf), node.parent.end, `${fn} as ${node.parent.name.text}`]);
      } else edits.push([node.getStart(info.sf), node.end, fn]);
    }
    for (const d of info.dynamic) {
      if (d.target) {
        const nd = destination.get(d.target);
        edits.push([d.node.getStart(info.sf), d.node.end, `"${specFor(to, nd)}"`]);
        if (houseOf(nd) && houseOf(nd) !== houseOf(to) && to.startsWith("lib/")) {
          notes.push(`${to} imports ${nd} late, across houses`);
        }
      } else if (d.spec.startsWith(".")) {
        edits.push([
          d.node.getStart(info.sf),
          d.node.end,
          `"${specFor(to, posix.normalize(posix.join(posix.dirname(p), d.spec)))}"`,
        ]);
      }
    }
    // exports that nobody else uses any more
    if (parts.length > 1 && !plan.keepExports.includes(to)) {
      for (const st of info.sf.statements) {
        const mod = st.modifiers?.find((m) => m.kind === ts.SyntaxKind.ExportKeyword);
        if (!mod) continue;
        if (st.modifiers.some((m) => m.kind === ts.SyntaxKind.DefaultKeyword)) continue;
        const declared = ts.isVariableStatement(st)
          ? st.declarationList.declarations.flatMap((d) => ts.isIdentifier(d.name) ? [d.name.text] : [])
          : [st.name?.text];
        if (declared.some((n) => used.has(`${p}#${n}`))) continue;
        const next = info.text.slice(mod.end).match(/^\s*/)[0].length;
        edits.push([mod.getStart(info.sf), mod.end + next, ""]);
      }
    }
    for (const m of info.text.matchAll(/^(\s*(?:\*|\/\/)\s*import (?:type )?\{[^}]*\} from ")(\.[^"]+)"/gm)) {
      const t = fast(p, m[2]);
      const nt = t ? destination.get(t) : posix.normalize(posix.join(posix.dirname(p), m[2]));
      edits.push([m.index + m[1].length, m.index + m[1].length + m[2].length, specFor(to, nt)]);
    }
    edits.sort((a, b) => b[0] - a[0] || b[1] - a[1]);
    let text = info.text, last = Infinity;
    for (const [s, e, r] of edits) {
      if (e > last) {
        problems.push(`${p}: overlapping edits at ${s}`);
        continue;
      }
      text = text.slice(0, s) + r + text.slice(e);
      last = s;
    }
    bodies.push({ p, text });
  }
  output.set(to, { parts, imports, sideEffects, attributes, tsTypes, bodies, reexportLines });
}

// ---- cycles between the new modules
{
  const graph = new Map();
  for (const [to, o] of output) {
    const out = new Set();
    const add = (spec) => {
      if (spec?.startsWith(".")) out.add(posix.normalize(posix.join(posix.dirname(to), spec)));
    };
    for (const spec of o.imports.keys()) add(spec);
    for (const r of o.reexportLines) add(r.spec);
    for (const spec of o.sideEffects) add(spec);
    for (const p of o.parts) {
      for (const d of files.get(p).dynamic) if (d.target) out.add(destination.get(d.target));
    }
    if (to.startsWith("lib/") || to === "main.ts") graph.set(to, out);
  }
  const done = new Set(), path = [];
  const visit = (m) => {
    path.push(m);
    for (const n of graph.get(m) ?? []) {
      const at = path.indexOf(n);
      if (at >= 0) problems.push(`cycle: ${[...path.slice(at), n].join(" -> ")}`);
      else if (!done.has(n)) visit(n);
    }
    path.pop();
    done.add(m);
  };
  for (const m of graph.keys()) if (!done.has(m)) visit(m);
}

// ---- emit
const printImports = (o) => {
  const lines = [...o.sideEffects].map((s) => `import "${s}";`);
  for (
    const [spec, names] of [...o.imports].sort((a, b) =>
      (a[0].startsWith(".") ? 1 : 0) - (b[0].startsWith(".") ? 1 : 0) || 0
    )
  ) {
    const all = [...names].map(([local, v]) => ({ local, ...v })),
      at = o.attributes.has(spec) ? " " + o.attributes.get(spec) : "";
    if (o.tsTypes.has(spec)) lines.push(o.tsTypes.get(spec));
    for (const n of all.filter((n) => n.kind === "ns")) {
      lines.push(`import ${n.type ? "type " : ""}* as ${n.local} from "${spec}"${at};`);
    }
    for (const n of all.filter((n) => n.kind === "default")) {
      lines.push(`import ${n.type ? "type " : ""}${n.local} from "${spec}"${at};`);
    }
    const named = all.filter((n) => n.kind === "named").sort((a, b) =>
      a.imported.toLowerCase() < b.imported.toLowerCase() ? -1 : 1
    );
    if (named.length) {
      const allTypes = named.every((n) => n.type);
      lines.push(
        `import ${allTypes ? "type " : ""}{ ${
          named.map((n) =>
            `${!allTypes && n.type ? "type " : ""}${
              n.imported === n.local ? n.local : `${n.imported} as ${n.local}`
            }`
          ).join(", ")
        } } from "${spec}"${at};`,
      );
    }
  }
  return lines.join("\n");
};
const printReexports = (o, extra = new Map()) => {
  const by = new Map(), lines = [];
  for (const r of o?.reexportLines ?? []) {
    if (r.own) {
      lines.push(`export { ${r.own} };`);
      continue;
    }
    if (!r.raw) {
      lines.push(`export * from "${r.spec}";`);
      continue;
    }
    if (!by.has(r.spec)) by.set(r.spec, new Map());
    for (const n of r.raw) by.get(r.spec).set(n.exported, n);
  }
  for (const [name, n] of extra) {
    if (!by.has(n.spec)) by.set(n.spec, new Map());
    if (![...by.values()].some((m) => m.has(name))) {
      by.get(n.spec).set(name, { local: n.name, exported: name, type: n.type });
    }
  }
  for (const [spec, ns] of by) {
    const list = [...ns.values()].sort((a, b) =>
      a.exported.toLowerCase() < b.exported.toLowerCase() ? -1 : 1
    );
    if (!list.length) continue;
    const allTypes = list.every((n) => n.type);
    lines.push(
      `export ${allTypes ? "type " : ""}{ ${
        list.map((n) =>
          `${!allTypes && n.type ? "type " : ""}${
            n.local === n.exported ? n.local : `${n.local} as ${n.exported}`
          }`
        ).join(", ")
      } } from "${spec}";`,
    );
  }
  return lines.join("\n");
};
const results = new Map();
for (const [to, o] of output) {
  const single = o.parts.length === 1;
  const imports = printImports(o);
  const extra = new Map(
    [...(faceNeeds.get(to) ?? [])].map(([n, v]) => [n, { ...v, spec: specFor(to, v.dest) }]),
  );
  const exps = printReexports(o, extra);
  if (single) {
    const info = files.get(o.parts[0]);
    const stays = (t) => !t || destination.get(t) === t;
    const same = (t, name) => {
      if (!stays(t)) return false;
      const or = origin(t, name);
      if (destination.get(or.f) === to) return or.f === info.f;
      return (or.f !== t || (finalName.get(`${or.f}#${or.name}`) ?? or.name) === name) &&
        !(houseOf(or.f) && houseOf(or.f) !== houseOf(to) && to.startsWith("lib/"));
    };
    if (
      to === info.f && !faceNeeds.has(to) && info.imports.every((i) =>
        stays(i.target) && i.names.every((n) =>
          !i.target || n.kind !== "named" || same(i.target, n.imported)
        )
      ) && info.reexports.every((r) =>
        stays(r.target) && (r.names || !r.target || targets.get(destination.get(r.target)).length === 1) &&
        (!r.target || !r.names || r.names.every((n) => same(r.target, n.local)))
      ) && info.dynamic.every((d) => stays(d.target)) &&
      ![...info.text.matchAll(/^\s*(?:\*|\/\/)\s*import (?:type )?\{[^}]*\} from "(\.[^"]+)"/gm)].some((m) =>
        !stays(fast(info.f, m[1]))
      )
    ) {
      results.set(to, info.text);
      continue;
    }
    let { text } = o.bodies[0], done = false;
    const block = [imports, exps].filter(Boolean).join("\n");
    // imports stand where the first of them stood; lists of re-exports where the first of those stood
    const fi = text.indexOf("\0");
    if (fi >= 0) {
      text = text.slice(0, fi) + block + text.slice(fi + 1);
      done = true;
      text = text.replace(/\n?[^\S\n]*\0/g, "");
    } else if (block) text = block + "\n\n" + text;
    results.set(to, text);
  } else {
    const pragmas = new Set(), heads = [];
    const bodies = o.bodies.map(({ text }) => {
      text = text.replace(
        /^((?:\/\/ deno-lint-ignore-file .*\n)*)\s*\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?=\0|([^]))/,
        (whole, pragma, comment, next) => {
          if (next !== undefined && !/^@module/m.test(comment.replace(/^\s*\* ?/gm, ""))) return whole;
          heads.push(comment.replace(/^\s*\* ?/gm, "").replace(/^@module\s*$/m, "").trim());
          return pragma;
        },
      );
      const t = text.replace(/^\/\/ deno-lint-ignore-file .*\n/gm, (line) => {
        pragmas.add(line);
        return "";
      }).replace(/[^\S\n]*\0\n?/g, "").replace(/^\s+/, "");
      return t.trimEnd();
    }).filter(Boolean);
    const said = [plan.intro[to], ...heads].filter(Boolean);
    const intro = said.length
      ? `/**\n${said.join("\n\n").split("\n").map((l) => ` * ${l}`.trimEnd()).join("\n")}\n */\n`
      : "";
    results.set(
      to,
      [...pragmas].join("") +
        [imports && intro ? intro + imports : intro + imports, exps, ...bodies].filter((x) => x.trim()).join(
          "\n\n",
        ) + "\n",
    );
  }
}
for (const [mod, needs] of faceNeeds) {
  if (!results.has(mod)) {
    results.set(
      mod,
      printReexports(
        { reexportLines: [] },
        new Map([...needs].map(([n, v]) => [n, { ...v, spec: specFor(mod, v.dest) }])),
      ) + "\n",
    );
  }
}

for (const n of notes) console.log("note:", n);
for (const p of problems) console.log("PROBLEM:", p);
console.log(`${code.length} files -> ${results.size}; ${problems.length} problems, ${notes.length} notes`);
if (dry || problems.length && !process.argv.includes("--force")) process.exit(problems.length ? 1 : 0);
const changedPaths = [...destination].filter(([a, b]) => a !== b);
for (const [a] of changedPaths) if (!results.has(a)) rmSync(abs(a));
let written = 0;
// Paths in strings, comments and pages
const byLength = changedPaths.sort((a, b) => b[0].length - a[0].length);
const replacePaths = (text) => {
  for (const [a, b] of byLength) if (text.includes(a)) text = text.split(a).join(b);
  return text;
};
for (const [to, text] of results) {
  mkdirSync(dirname(abs(to)), { recursive: true });
  const t = replacePaths(text);
  if (!existsSync(abs(to)) || readFileSync(abs(to), "utf8") !== t) {
    writeFileSync(abs(to), t);
    written++;
  }
}
for (const f of tracked) {
  if (
    !codeSet.has(f) && /\.(json|md|yml|yaml|sh|mjs|run|toml)$|\.ci\/run$/.test(f) && !/lock$/.test(f) &&
    existsSync(abs(f))
  ) {
    const t = readFileSync(abs(f), "utf8"), r = replacePaths(t);
    if (r !== t) {
      writeFileSync(abs(f), r);
      written++;
    }
  }
}
console.log(`${written} written`);
