// A shape, told to quicktype. It gets types and counts where it would read samples, so it never sees a value.
import type { ClassProperty, Type as GraphType, InputData, TypeBuilder, TypeRef } from "quicktype-core"
import { isOpen, type ObjectShape, type Shape } from "./shape.ts"

/** quicktype itself: large, so only `discover` loads it. */
export type Quicktype = typeof import("quicktype-core")

export interface Graph {
  /** Undefined when nothing was seen. */
  top: GraphType | undefined
  /** Whether an object may have other members than those that were seen. */
  isOpen(type: GraphType): boolean
}

/** What quicktype makes of a shape. */
export function graphOf(
  quicktype: Quicktype,
  shape: Shape,
  { name, allOptional }: { name: string; allOptional: boolean },
): Graph {
  let top: GraphType | undefined
  const openness = createOpenness(quicktype)
  // Where quicktype would print, its types are taken instead.
  class Reader extends quicktype.TypeScriptTargetLanguage {
    override renderGraphAndSerialize(graph: { topLevels: ReadonlyMap<string, GraphType> }) {
      top = graph.topLevels.get(name)
      return new Map()
    }
  }
  const inputData = new quicktype.InputData()
  inputData.addInput(inputOf(quicktype, shape, name, openness))
  quicktype.quicktypeMultiFileSync({
    lang: new Reader(),
    inputData,
    allPropertiesOptional: allOptional,
    alphabetizeProperties: true,
    inferEnums: false,
    ...plainStrings,
  })
  return { top, isOpen: (type) => openness.tryGetInAttributes(type.getAttributes()) === true }
}

type Openness = InstanceType<Quicktype["TypeAttributeKind"]>

/** A mark on types. Where quicktype finds that two are the same thing, the mark of one is on both. */
function createOpenness(quicktype: Quicktype): Openness {
  class Kind extends quicktype.TypeAttributeKind<unknown> {
    override combine() {
      return true
    }
    override makeInferred() {
      return true
    }
  }
  return new Kind("open")
}

const plainStrings = {
  inferDateTimes: false,
  inferUuids: false,
  inferIntegerStrings: false,
  inferBooleanStrings: false,
}

function inputOf(
  quicktype: Quicktype,
  shape: Shape,
  name: string,
  openness: Openness,
): Parameters<InputData["addInput"]>[0] {
  const addTypesSync = (_context: unknown, builder: TypeBuilder) => {
    const attributes = quicktype.makeNamesTypeAttributes(name, false)
    builder.addTopLevel(name, new Translator(quicktype, builder, openness).typeOf(shape, attributes))
  }
  return {
    kind: "shape",
    needIR: true,
    // Texts that are known to be words become enums; else quicktype would guess.
    needSchemaProcessing: true,
    addSource: async () => {},
    addSourceSync: () => {},
    addTypes: async (context, builder) => addTypesSync(context, builder),
    addTypesSync,
    singleStringSchemaSource: () => undefined,
  }
}

type Attributes = Quicktype["emptyTypeAttributes"]

/** Tells quicktype's builder of a shape what its own reader of JSON would tell it of samples. */
class Translator {
  readonly #quicktype: Quicktype
  readonly #builder: TypeBuilder
  readonly #openness: Openness

  constructor(quicktype: Quicktype, builder: TypeBuilder, openness: Openness) {
    this.#quicktype = quicktype
    this.#builder = builder
    this.#openness = openness
  }

  typeOf(shape: Shape, attributes: Attributes = this.#quicktype.emptyTypeAttributes): TypeRef {
    const builder = this.#builder
    if (shape.deep) return builder.getPrimitiveType("any", attributes)
    const { emptyTypeAttributes: none } = this.#quicktype
    const kinds: ((attributes: Attributes) => TypeRef)[] = []
    if (shape.null > 0) kinds.push((each) => builder.getPrimitiveType("null", each))
    if (shape.boolean > 0) kinds.push((each) => builder.getPrimitiveType("bool", each))
    if (shape.number > 0) kinds.push((each) => builder.getPrimitiveType("double", each))
    if (shape.string > 0) kinds.push((each) => this.#textType(shape, each))
    const { array, object } = shape
    if (array) kinds.push((each) => builder.getArrayType(each, this.typeOf(array.items)))
    if (object) kinds.push((each) => this.#objectType(object, each))
    const [only] = kinds
    if (only === undefined) return builder.getPrimitiveType("none", attributes)
    if (kinds.length === 1) return only(attributes)
    return builder.getUnionType(attributes, new Set(kinds.map((kind) => kind(none))))
  }

  #textType({ words }: Shape, attributes: Attributes): TypeRef {
    const { StringTypes } = this.#quicktype
    const isEnum = words !== false && words.size > 0
    const texts = isEnum ? new StringTypes(new Map([...words].sort()), new Set()) : StringTypes.unrestricted
    return this.#builder.getStringType(attributes, texts)
  }

  #objectType(object: ObjectShape, attributes: Attributes): TypeRef {
    const builder = this.#builder
    const { count, map } = object
    const members = [...object.members].sort(([a], [b]) => (a < b ? -1 : 1))
    if (map !== undefined) {
      const values = new Set([map, ...members.map(([, member]) => member)].map((each) => this.typeOf(each)))
      const [only] = values
      const isOne = values.size === 1 && only !== undefined
      return builder.getMapType(
        attributes,
        isOne ? only : builder.getUnionType(this.#quicktype.emptyTypeAttributes, values),
      )
    }
    const properties = members.map(([key, member]): [string, ClassProperty] => {
      return [key, builder.makeClassProperty(this.typeOf(member), member.count < count)]
    })
    const marked = isOpen(object) ? this.#openness.modifyInAttributes(attributes, () => true) : attributes
    return builder.getClassType(marked, new Map(properties))
  }
}
