package dev.holdfast.cli.admin;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.CommandFamily;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.FailureMessage;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.dynamodb.DynamoSchema;
import dev.holdfast.jdbc.SqlSchema;
import dev.holdfast.spi.ConnectWait;
import dev.holdfast.spi.StoreException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "schema",
        header = "Print, create or drop the tables a store uses.",
        description = "For locks, history and documents (state of stacks, guard); and the views in an SQL database.",
        footer = {
            "holdfast schema print --store postgresql:",
            "holdfast schema migrate --store postgresql://app@db/locks"
        },
        subcommands = {SchemaCommand.Print.class, SchemaCommand.Migrate.class, SchemaCommand.Drop.class})
public final class SchemaCommand extends CommandFamily {
    private static final String INDEX =
            "With the index of a DynamoDB table, from which listings of one namespace are read (or ?index=on in the URL).";

    private static final String USAGE = "2:The command line or a URL is wrong.";
    private static final String UNUSABLE = "69:The store cannot be reached or used.";

    /** What the three have in common: a store, and failures told in one line. */
    private abstract static class OnStore extends PlainCommand {
        @Option(
                names = "--store",
                paramLabel = "URL",
                description =
                        "The store (HOLDFAST_STORE), such as postgresql://user@host/db. To print, its kind alone is"
                                + " enough, such as postgresql: (default sqlite:).")
        private Optional<String> named = Optional.empty();

        @Option(
                names = "--context",
                paramLabel = "NAME",
                description = "The store of this context (HOLDFAST_CONTEXT); see 'holdfast help context'.")
        private Optional<String> context = Optional.empty();

        String store = "sqlite:";

        abstract int run(PrintWriter out);

        /** The one that was named; a server has no schema for us. */
        private String store() {
            Map<String, String> flags = new LinkedHashMap<>();
            named.ifPresent(url -> flags.put("store", url));
            context.or(() -> Target.contextOf(spec)).ifPresent(name -> flags.put("context", name));
            return Connection.of(flags, System.getenv())
                    .store()
                    .map(Connection.Setting::value)
                    .orElse("sqlite:");
        }

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
                store = store();
                return run(out());
            } catch (IllegalArgumentException | StoreException e) {
                err().println("holdfast: " + FailureMessage.of(String.valueOf(e.getMessage())));
                return e instanceof StoreException ? ExitCodes.UNREACHABLE : ExitCodes.USAGE;
            } finally {
                out().flush();
            }
        }
    }

    @Command(
            name = "print",
            header = "Print the SQL a store runs when it is first opened.",
            description = {
                "Locks, history and documents. Have it run by somebody who may create tables, with psql, mariadb or"
                        + " sqlite3; the server then needs no more than select, insert, update and delete on them.",
                "",
                "SQLite keeps documents in a file of their own, which the script attaches: run it where that path leads"
                        + " to the directory of the locks.",
                "",
                "For DynamoDB: the AWS commands, and Terraform."
            },
            footer = {
                "holdfast schema print --store postgresql: > schema.sql",
                "holdfast schema print --drop --store mariadb:"
            },
            exitCodeList = {Codes.OK, USAGE})
    static final class Print extends OnStore {
        @Option(names = "--drop", description = "Print the SQL that removes everything instead.")
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

    @Command(
            name = "migrate",
            header = "Create the tables and views, or bring them up to date.",
            description = {
                "For locks, history, and the documents of state and guard, as a server does when it starts. A database"
                        + " that is not there yet is waited for, 30s unless ?connect_wait=… in the URL says otherwise.",
                "",
                "A lost table is not silently created again, because nobody would notice that its contents are gone."
                        + " That needs --repair, which says what was lost."
            },
            footer = "holdfast schema migrate --store postgresql://app@db/locks",
            exitCodeList = {Codes.OK, USAGE, UNUSABLE})
    static final class Migrate extends OnStore {
        @Option(names = "--index", description = INDEX)
        private boolean index;

        @Option(
                names = "--repair",
                description =
                        "Create missing tables, views and indexes of an SQL database again, and say what was lost with"
                                + " them. First stop the programs that use its locks.")
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
            DocumentStores.open(store).close();
            out.println("The schema in " + Stores.masked(store) + " is current, for locks and for documents");
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "drop",
            header = "Drop the tables and views, with all locks and documents.",
            description = {
                "History and the last fencing tokens go with them, and so do all documents beside the locks: the state of"
                        + " stacks with every version, what the guard knows, stored tokens.",
                "",
                "Documents elsewhere (state.store, guard.store) stay. For a copy first: holdfast backup."
            },
            footer = "holdfast schema drop --yes --store postgresql://app@db/locks",
            exitCodeList = {Codes.OK, USAGE, "5:Not confirmed with --yes; nothing was done.", UNUSABLE})
    static final class Drop extends OnStore {
        @Option(names = "--yes", description = "Do it without being asked again.")
        private boolean yes;

        @Override
        int run(PrintWriter out) {
            Runnable drop =
                    DynamoSchema.accepts(store) ? DynamoSchema.of(ConnectWait.without(store))::drop : sql()::drop;
            if (!yes) {
                err().println("This removes all locks in " + Stores.masked(store)
                        + ", their history and the memory of the last tokens, and all documents: the state of stacks with"
                        + " every version, what the guard knows, stored tokens. If that is what you want, add --yes; for a"
                        + " copy first: holdfast backup");
                return ExitCodes.NOT_CONFIRMED;
            }
            drop.run();
            out.println("Nothing of Holdfast is left in " + Stores.masked(store));
            return ExitCodes.OK;
        }
    }
}
