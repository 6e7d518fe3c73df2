/** The holdfast command, one class per subcommand. */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
