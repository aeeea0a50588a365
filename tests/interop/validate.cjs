// Every *.json of a folder against the OSV schema, formats checked. usage: node validate.cjs SCHEMA FOLDER
const fs = require("fs"), path = require("path");
const Ajv = require("ajv/dist/2020"), formats = require("ajv-formats");
const [schema, folder] = process.argv.slice(2);
const ajv = new Ajv({ strict: false, allErrors: true });
formats(ajv);
const valid = ajv.compile(JSON.parse(fs.readFileSync(schema, "utf8")));
const files = fs.readdirSync(folder).filter((name) => name.endsWith(".json"));
let broken = 0;
for (const name of files)
  if (!valid(JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")))) {
    ++broken;
    console.log(name, ajv.errorsText(valid.errors));
  }
console.log(`ajv 8.20.0: ${files.length} documents, ${broken} broken`);
process.exit(broken || !files.length ? 1 : 0);
