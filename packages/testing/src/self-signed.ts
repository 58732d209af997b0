import { createHash, generateKeyPairSync, sign } from "node:crypto";

/** A key and a certificate for `name`, made for one test: nothing secret is kept with the sources. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const names = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))));
  const year = (offset: number): Buffer =>
    der(0x18, Buffer.from(`${new Date().getUTCFullYear() + offset}0101000000Z`, "ascii"));
  const altName = sequence(der(0x82, Buffer.from(name, "ascii")));
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    sequence(oid("551d11"), der(0x04, altName)),
    sequence(oid("551d13"), der(0x01, Buffer.from([0xff])), der(0x04, isAuthority)),
  );
  const serial = Buffer.concat([Buffer.from([1]), createHash("sha256").update(spki).digest().subarray(0, 15)]);
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    names,
    sequence(year(-1), year(10)),
    names,
    spki,
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", content, privateKey));
  const body = sequence(content, algorithm, signature).toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body.trimEnd()}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), body]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), body]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), body]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
