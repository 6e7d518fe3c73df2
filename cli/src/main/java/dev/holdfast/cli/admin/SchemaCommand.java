package dev.holdfast.cli.admin;

import dev.holdfast.Stores;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.dynamodb.DynamoSchema;
import dev.holdfast.jdbc.SqlSchema;
import dev.holdfast.spi.ConnectWait;
import dev.holdfast.spi.StoreException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast schema}: the tables and views of a store. */
@Command(
        name = "schema",
        description = "Shows, makes or takes away the tables a store uses, and the views in an SQL database.",
        mixinStandardHelpOptions = true,
        subcommands = {SchemaCommand.Print.class, SchemaCommand.Migrate.class, SchemaCommand.Drop.class},
        synopsisSubcommandLabel = "COMMAND")
public final class SchemaCommand {
    private static final String INDEX =
            "With the index of a DynamoDB table, from which listings of one namespace are read (or ?index=on in the URL).";

    private SchemaCommand() {}

    /** What the three have in common: a store, and failures told in one line. */
    @Command(mixinStandardHelpOptions = true)
    private abstract static class OnStore implements Callable<Integer> {
        @Option(
                names = "--store",
                paramLabel = "URL",
                defaultValue = "${env:HOLDFAST_STORE:-sqlite:}",
                description =
                        "The store, such as postgresql://user@host/db or only postgresql: to print (HOLDFAST_STORE).")
        String store = "sqlite:";

        @Spec
        CommandSpec spec;

        abstract int run(PrintWriter out);

        /** The schema in DynamoDB, if the store is there. */
        Optional<DynamoSchema> dynamo(boolean index) {
            if (DynamoSchema.accepts(store)) {
                DynamoSchema schema = DynamoSchema.of(ConnectWait.without(store));
                return Optional.of(index ? schema.withIndex() : schema);
            }
            if (index) {
                throw new IllegalArgumentException("--index is for DynamoDB: what " + Stores.masked(store)
                        + " needs for listings is made with its tables");
            }
            return Optional.empty();
        }

        /** The schema of an SQL store, once the others are excluded. */
        SqlSchema sql() {
            if (store.regionMatches(true, 0, "s3:", 0, 3)) {
                throw new IllegalArgumentException("Locks in S3 have no schema: " + Stores.masked(store)
                        + " needs a bucket and nothing in it, and its locks are the objects under the prefix."
                        + " The bucket, as Terraform: deploy/terraform/aws");
            }
            return SqlSchema.of(store);
        }

        @Override
        public Integer call() {
            try {
                return run(spec.commandLine().getOut());
            } catch (IllegalArgumentException e) {
                spec.commandLine().getErr().println(e.getMessage());
                return ExitCodes.USAGE;
            } catch (StoreException e) {
                spec.commandLine().getErr().println(e.getMessage());
                return ExitCodes.UNREACHABLE;
            } finally {
                spec.commandLine().getOut().flush();
            }
        }
    }

    /** {@code holdfast schema print}. */
    @Command(
            name = "print",
            description =
                    "Prints the SQL that a store runs when it is first opened, or the AWS commands and Terraform.")
    static final class Print extends OnStore {
        @Option(names = "--drop", description = "The way down instead: the SQL that takes it all away.")
        private boolean drop;

        @Option(names = "--index", description = INDEX)
        private boolean index;

        @Override
        int run(PrintWriter out) {
            out.print(dynamo(index)
                    .map(dynamo -> drop ? dynamo.dropCommands() : dynamo.createCommands())
                    .orElseGet(() -> drop ? sql().dropSql() : sql().createSql()));
            return ExitCodes.OK;
        }
    }

    /** {@code holdfast schema migrate}. */
    @Command(
            name = "migrate",
            description = {
                "Makes the tables and views, or brings them up to date, as opening the store does. A database that is not there yet"
                        + " is waited for, 30 s unless ?connect_wait=… in the URL says otherwise.",
                "",
                "A table that was lost is not made anew, because what was in it would be forgotten without a word: that needs"
                        + " --repair, which tells what was lost."
            })
    static final class Migrate extends OnStore {
        @Option(names = "--index", description = INDEX)
        private boolean index;

        @Option(
                names = "--repair",
                description =
                        "Make anew what is missing of the tables, views and indexes in an SQL database, and tell what was"
                                + " lost with it. Stop the programs that lock there first.")
        private boolean repair;

        @Override
        int run(PrintWriter out) {
            if (repair) {
                List<String> lost = sql().repair();
                lost.forEach(out::println);
                if (lost.isEmpty()) {
                    out.println("Nothing was missing");
                }
            }
            dynamo(index).ifPresent(DynamoSchema::migrate);
            Stores.open(store).close();
            out.println("The schema in " + Stores.masked(store) + " is current");
            return ExitCodes.OK;
        }
    }

    /** {@code holdfast schema drop}. */
    @Command(
            name = "drop",
            description = "Takes the tables and views away, with all locks, their history and the last tokens.")
    static final class Drop extends OnStore {
        @Option(names = "--yes", description = "Do it without being asked again.")
        private boolean yes;

        @Override
        int run(PrintWriter out) {
            Runnable drop =
                    DynamoSchema.accepts(store) ? DynamoSchema.of(ConnectWait.without(store))::drop : sql()::drop;
            if (!yes) {
                spec.commandLine()
                        .getErr()
                        .println(
                                "This removes all locks in " + Stores.masked(store)
                                        + ", their history and the memory of the last tokens. If that is what you want, add --yes");
                return ExitCodes.NOT_CONFIRMED;
            }
            drop.run();
            out.println("Nothing of Holdfast is left in " + Stores.masked(store));
            return ExitCodes.OK;
        }
    }
}
