package dev.holdfast.cli;

import dev.holdfast.jdbc.SqliteStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast schema}: the tables and views of a store. */
@Command(
        name = "schema",
        description = "Shows the tables and views a store uses.",
        mixinStandardHelpOptions = true,
        subcommands = SchemaCommand.Print.class,
        synopsisSubcommandLabel = "COMMAND")
final class SchemaCommand {
    private SchemaCommand() {}

    /** {@code holdfast schema print}. */
    @Command(
            name = "print",
            description = "Prints the SQL that a store runs when it is first opened.",
            mixinStandardHelpOptions = true)
    static final class Print implements Runnable {
        @Option(names = "--drop", description = "The way down instead: the SQL that takes it all away.")
        private boolean drop;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            spec.commandLine().getOut().print(drop ? SqliteStore.dropSql() : SqliteStore.schemaSql());
            spec.commandLine().getOut().flush();
        }
    }
}
