/** A module's memory: states as bytes, buffers as arrays. */
import type { Description, Field, NumberType } from './manifest';
import type { BufferName, Exports } from './interface';

const ARRAYS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
  record: Uint8Array,
};
type Arrays = { [Type in NumberType]: InstanceType<(typeof ARRAYS)[Type]> };
type Nested = number | bigint | Nested[];

/** A position or a seat's view of one: an immutable value that can be stored, sent and compared. */
export type State = Uint8Array<ArrayBuffer>;

export class Memory {
  #about: Description;
  #globals: Record<string, WebAssembly.Global<'i32'>>;
  #bytes: Uint8Array<ArrayBuffer>;
  #state: Uint8Array;

  constructor(exports: Exports, about: Description) {
    this.#about = about;
    this.#globals = exports as unknown as Record<string, WebAssembly.Global<'i32'>>;
    this.#bytes = new Uint8Array(exports.memory.buffer as ArrayBuffer);
    this.#state = this.at('state', about.state.size);
  }

  /** The bytes of a buffer. */
  at(name: string, size: number): Uint8Array {
    const address = this.#globals[name]?.value;
    if (address === undefined) throw new Error(`the module of ${this.#about.game} has no buffer ${name}`);
    return this.#bytes.subarray(address, address + size);
  }

  /** A buffer as the numbers that it holds. */
  array<Type extends NumberType>(name: BufferName | 'cells' | 'shown' | 'margins', type: Type): Arrays[Type] {
    const { shape } = this.#about.buffers[name]!;
    const address = this.#globals[name]!.value;
    const count = shape.reduce((product, length) => product * length, 1);
    return new ARRAYS[type](this.#bytes.buffer, address, count) as Arrays[Type];
  }

  put(state: State): void {
    this.#state.set(state);
  }

  get(): State {
    return this.#state.slice() as State;
  }

  /** One field of a state. */
  field(state: State, name: string): Nested {
    return readField(state, this.#field(name));
  }

  /** Write one field of a state. */
  write(state: State, name: string, value: unknown): void {
    const { type, offset } = this.#field(name);
    const flat = [value].flat(Infinity) as never[];
    const typed = new ARRAYS[type](flat.length);
    flat.forEach((number, at) => (typed[at] = number));
    state.set(new Uint8Array(typed.buffer), offset);
  }

  #field(name: string): Field {
    const field = this.#about.state.fields[name];
    if (!field) throw new Error(`a state of ${this.#about.game} has no field ${name}`);
    return field;
  }
}

function readField(state: State, field: Field): Nested {
  const Type = ARRAYS[field.type];
  const count = field.shape.reduce((product, length) => product * length, 1);
  const bytes = state.slice(field.offset, field.offset + count * Type.BYTES_PER_ELEMENT);
  const flat: Nested[] = [...new Type(bytes.buffer)];
  if (!field.shape.length) return flat[0]!;
  return field.shape.slice(1).reduceRight(toRows, flat);
}

const toRows = (flat: Nested[], length: number): Nested[] =>
  Array.from({ length: flat.length / length }, (_, row) => flat.slice(row * length, (row + 1) * length));
