export { LocalIndex, ProtobufCodec } from 'vectra'
