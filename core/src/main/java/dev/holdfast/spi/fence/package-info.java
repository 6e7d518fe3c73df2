/**
 * What a database remembers of the tokens that wrote to its own tables: {@link dev.holdfast.spi.fence.FencedTokens}, for stores that are
 * in such a database.
 */
@NullMarked
package dev.holdfast.spi.fence;

import org.jspecify.annotations.NullMarked;
