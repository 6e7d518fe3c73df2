/**
 * Where the locks of a command are. {@link dev.holdfast.cli.connect.TargetCommand} is what most commands extend.
 *
 * <pre>
 *   Target           the options every command has (--server, --store, --namespace, …), and what they name, opened: start here
 *     Connection       which of flag, environment and context counts
 *     TrustOptions     certificates to trust and to show
 *     Operator         who the user is, for locks and the history
 *   Contexts         the file with the contexts (Context, ContextsReader, FileOwner)
 *   ServerCalls      requests that the lock client has no call for; PagedItems, one page after another
 *   StoreFile        stores that are a file of this machine; LastingStore: what backup and migrate need
 *   AmbiguousWordCheck, OtherNamespaceHint    when another lock may have been meant
 * </pre>
 *
 * Knows {@code text}, and no command.
 */
@NullMarked
package dev.holdfast.cli.connect;

import org.jspecify.annotations.NullMarked;
