package dev.holdfast.cli.serve;

import dev.holdfast.cli.target.Target;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.JsonTree;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast token ls}: which tokens a server accepts. */
@Command(
        name = "ls",
        description = {
            "Lists the API tokens of a server: those made by 'token create', and those in its configuration.",
            "Needs the role admin in all namespaces."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Codes.HEADING,
        exitCodeList = {Codes.OK, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
final class TokenLsCommand implements Callable<Integer> {
    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        List<JsonTree> tokens = ServerTokens.of(target).all();
        switch (output.format()) {
            case json, yaml -> output.printAll(tokens, (json, token) -> token.write(json));
            case name ->
                tokens.forEach(token ->
                        output.out().println(Screen.clean(token.get("id").text())));
            case table -> show(tokens);
        }
        output.out().flush();
        return ExitCodes.OK;
    }

    private void show(List<JsonTree> tokens) {
        if (tokens.isEmpty()) {
            output.err().println("There are no API tokens. Make one: holdfast token create NAME --role NAMESPACE=ROLE");
            return;
        }
        Table table = new Table("ID", "ROLES", "GROUP", "MADE BY", "CREATED", "EXPIRES").flexible("ID", "ROLES");
        for (JsonTree token : tokens) {
            boolean stored = token.get("source").text().equals("stored");
            table.row(
                    Table.Cell.of(token.get("id").text()),
                    Table.Cell.of(roles(token.get("roles"))),
                    Table.Cell.of(token.get("group").optional().orElse("-")),
                    Table.Cell.of(stored ? token.get("created_by").text() : "(configuration)"),
                    Table.Cell.of(token.get("created_at").optional().orElse("-")),
                    Table.Cell.of(end(token)));
        }
        output.print(table);
    }

    private static String end(JsonTree token) {
        String end = token.get("expires_at").optional().orElse("never");
        return token.get("expired").text().equals("true") ? "expired " + end : end;
    }

    private static String roles(JsonTree roles) {
        return roles.names().stream()
                .map(scope -> scope + "="
                        + String.join(
                                ",",
                                roles.get(scope).list().stream()
                                        .map(JsonTree::text)
                                        .toList()))
                .reduce((one, other) -> one + " " + other)
                .orElse("-");
    }
}
