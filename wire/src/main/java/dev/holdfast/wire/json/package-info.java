/**
 * JSON as values that keep what they do not understand: members in their order, numbers as they were written. Used by {@code wire}, state,
 * guard, the client and the command line; the server reads requests with readers of its own, which list every problem. Knows no form of
 * ours.
 *
 * <pre>
 *   Json              a value: Obj, Arr, Text, Numeral, Truth, Null
 *   JsonText          text to value and back; InvalidJsonException says where it is none, never what stands there
 *   ObjectBuilder     makes an object, member by member
 * </pre>
 */
@NullMarked
package dev.holdfast.wire.json;

import org.jspecify.annotations.NullMarked;
