/**
 * One program per idea. Each runs by hand with {@code examples/run}, and in several processes in the tests; nothing depends on them. They know
 * only what users may know.
 *
 * <pre>
 *   StartupSetup         many processes start, one does the set-up
 *   PodSync              cron fires on all pods, one works: SyncJob
 *   SyncService          the same as a web service: SyncCalls translates, SyncRuns runs
 *   FencedWrite          a paused process does not overwrite what others have written
 *   ResourceDeployment   a deployment with state, checkpoints and fencing
 *   Database, Env        where the locks and the example's tables are; settings
 * </pre>
 */
@NullMarked
package dev.holdfast.examples;

import org.jspecify.annotations.NullMarked;
