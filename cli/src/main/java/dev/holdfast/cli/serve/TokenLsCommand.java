package dev.holdfast.cli.serve;

import dev.holdfast.cli.target.Target;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.wire.json.Json;
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
        List<Json> tokens = ServerTokens.of(target).all();
        switch (output.format()) {
            case json, yaml -> output.printAll(tokens, (json, token) -> token.writeTo(json));
            case name ->
                tokens.forEach(token ->
                        output.out().println(Screen.clean(token.at("id").plain())));
            case table -> show(tokens);
        }
        output.out().flush();
        return ExitCodes.OK;
    }

    private void show(List<Json> tokens) {
        if (tokens.isEmpty()) {
            output.err().println("There are no API tokens. Make one: holdfast token create NAME --role NAMESPACE=ROLE");
            return;
        }
        Table table = new Table("ID", "ROLES", "GROUP", "MADE BY", "CREATED", "EXPIRES").flexible("ID", "ROLES");
        for (Json token : tokens) {
            boolean stored = token.at("source").plain().equals("stored");
            table.row(
                    Table.Cell.of(token.at("id").plain()),
                    Table.Cell.of(roles(token.at("roles"))),
                    Table.Cell.of(token.at("group").plainIfAny().orElse("-")),
                    Table.Cell.of(stored ? token.at("created_by").plain() : "(configuration)"),
                    Table.Cell.of(token.at("created_at").plainIfAny().orElse("-")),
                    Table.Cell.of(end(token)));
        }
        output.print(table);
    }

    private static String end(Json token) {
        String end = token.at("expires_at").plainIfAny().orElse("never");
        return token.at("expired").plain().equals("true") ? "expired " + end : end;
    }

    private static String roles(Json roles) {
        return roles.members().keySet().stream()
                .map(scope -> scope + "="
                        + String.join(
                                ",",
                                roles.at(scope).items().stream()
                                        .map(Json::plain)
                                        .toList()))
                .reduce((one, other) -> one + " " + other)
                .orElse("-");
    }
}
