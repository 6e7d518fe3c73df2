package dev.holdfast.cli.context;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.Context;
import dev.holdfast.cli.connect.Contexts;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.OutputCommand;
import dev.holdfast.cli.text.Table;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import picocli.CommandLine.Command;

@Command(
        name = "ls",
        header = "List the contexts; * is the one in use.",
        description = "With -o name: only the names, one a line.",
        footer = {"holdfast context ls", "holdfast context ls -o name"},
        exitCodeList = {Codes.OK, Codes.USAGE})
final class ContextLsCommand extends OutputCommand {
    @Override
    protected int run() {
        Contexts contexts = Contexts.read(System.getenv());
        Table<Context> table = new Table<Context>()
                .column("", context -> isCurrent(contexts, context) ? "*" : "")
                .flexible("NAME", Context::name)
                .flexible("SERVER OR STORE", context -> Stores.masked(context.url()))
                .flexible("NAMESPACE", context -> context.namespace().orElse(""));
        output.showAll(
                contexts.all().values(),
                (json, context) -> json(context, isCurrent(contexts, context)).writeTo(json),
                Context::name,
                "There are no contexts in " + contexts.file() + ". Make one: holdfast context set NAME --server URL",
                () -> output.print(table, contexts.all().values()));
        return ExitCodes.OK;
    }

    private static boolean isCurrent(Contexts contexts, Context context) {
        return contexts.current().filter(context.name()::equals).isPresent();
    }

    private static Json json(Context context, boolean current) {
        ObjectBuilder fields = Json.build().with("name", context.name()).with("current", current);
        context.settings().forEach((key, value) -> fields.with(key.replace('-', '_'), Stores.masked(value)));
        return fields.build();
    }
}
