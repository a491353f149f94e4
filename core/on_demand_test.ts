import { assertEquals, assertRejects } from "@std/assert";
import { onDemand } from "./on_demand.ts";

const MODULE = { add: (a: number, b: number) => a + b, later: (a: string) => Promise.resolve(a) };

Deno.test("a module is loaded by the first call of any function, once", async () => {
  let loads = 0;
  const call = onDemand(() => {
    loads++;
    return Promise.resolve(MODULE);
  });
  const [add, later] = [call("add"), call("later")];
  assertEquals(loads, 0);
  assertEquals(await Promise.all([add(1, 2), later("x"), add(3, 4)]), [3, "x", 7]);
  assertEquals(loads, 1);
});

Deno.test("calls that wait for the module run in their order", async () => {
  const order: number[] = [];
  const note = onDemand(() => Promise.resolve({ note: (n: number) => void order.push(n) }))("note");
  await Promise.all([1, 2, 3].map(async (n) => await note(n)));
  assertEquals(order, [1, 2, 3]);
});

Deno.test("once the module is loaded, a call answers at once", async () => {
  const add = onDemand(() => Promise.resolve(MODULE))("add");
  await add(1, 1);
  assertEquals(add(1, 2), 3);
});

Deno.test("a module that cannot be loaded rejects the call with the reason, and is tried again", async () => {
  let fails = true;
  const add = onDemand(() =>
    fails ? Promise.reject(new TypeError("no such file")) : Promise.resolve(MODULE)
  )("add");
  await assertRejects(
    async () => await add(1, 2),
    Error,
    "Cannot load the code of this call: no such file",
  );
  fails = false;
  assertEquals(await add(1, 2), 3);
});

Deno.test("an error of the function itself stays as it is", async () => {
  const fail = onDemand(() =>
    Promise.resolve({
      fail: (): never => {
        throw new RangeError("mine");
      },
    })
  )("fail");
  await assertRejects(async () => await fail(), RangeError, "mine");
});
