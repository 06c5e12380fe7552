"""The four providers' formats by their own SDKs: tools, a model's reply, what is appended to it, the next request."""

import json

import strict
from anthropic.types import Message, MessageParam, TextBlock, ToolParam, ToolUseBlock, Usage
from google.genai import types as google
from openai.types.chat import (
    ChatCompletion,
    ChatCompletionMessage,
    ChatCompletionMessageFunctionToolCall,
    ChatCompletionToolMessageParam,
    ChatCompletionToolParam,
)
from openai.types.chat.chat_completion import Choice
from openai.types.chat.chat_completion_message_function_tool_call import Function
from openai.types.responses import (
    CustomToolParam,
    FunctionToolParam,
    Response,
    ResponseCustomToolCall,
    ResponseCustomToolCallOutputParam,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from openai.types.responses.response_input_item_param import FunctionCallOutput

SYSTEM = "You work in a folder."
WISH = "Look around."


class Call:
    """What the model is to ask for: by name, with JSON arguments, with text that is no JSON, or with free text."""

    def __init__(self, name: str, args: dict | None = None, raw: str | None = None, free: str | None = None):
        self.name, self.args, self.raw, self.free = name, args or {}, raw, free
        self.id = ""

    def text(self) -> str:
        return self.raw if self.raw is not None else json.dumps(self.args)


class Faulty(Exception):
    """The document is not what this provider's history wants."""


def demand(holds: bool, fact: str) -> None:
    if not holds:
        raise Faulty(fact)


def prove_each(items: list, kind_of) -> int:
    demand(isinstance(items, list) and bool(items), "there is no list, or nothing is in it")
    return sum(strict.prove(item, kind_of(item)) for item in items)


class Anthropic:
    NAME = "anthropic"
    KEEPS_BROKEN_TEXT = False

    def tools(self, tools: list) -> int:
        return prove_each(tools, lambda tool: ToolParam)

    def names(self, tools: list) -> dict:
        return {tool["name"]: "function" for tool in tools}

    def reply(self, model: str, calls: list[Call]):
        for at, call in enumerate(calls):
            call.id = f"toolu_{at:02}"
        blocks = [ToolUseBlock(type="tool_use", id=call.id, name=call.name, input=call.args) for call in calls]
        return Message(
            id="msg_01",
            type="message",
            role="assistant",
            model=model,
            content=[TextBlock(type="text", text="Let me look."), *blocks],
            stop_reason="tool_use",
            usage=Usage(input_tokens=1, output_tokens=1),
        )

    def answer(self, answer: dict) -> int:
        demand(answer.get("role") == "user", "the answer is no user message")
        kinds = {block.get("type") for block in answer["content"]}
        demand(kinds == {"tool_result"}, f"the answer holds {sorted(kinds)}, not tool results alone")
        return strict.prove(answer, MessageParam)

    def parts(self, answer: dict) -> list[tuple]:
        return [(block["tool_use_id"], block) for block in answer["content"]]

    def whole(self, parts: list) -> dict:
        return {"role": "user", "content": parts}

    def own_part(self, call: Call) -> dict:
        return {"type": "tool_result", "tool_use_id": call.id, "content": "mine"}

    def request(self, model: str, tools: list, reply: dict, answer: dict) -> dict:
        said = {"role": "assistant", "content": reply["content"]}
        messages = [{"role": "user", "content": WISH}, said, answer]
        return {"model": model, "max_tokens": 1000, "system": SYSTEM, "tools": tools, "messages": messages}

    def own_tool(self, name: str) -> dict:
        return {"name": name, "input_schema": {"type": "object", "properties": {}}}

    def add_tool(self, tools: list, name: str) -> list:
        return [*tools, self.own_tool(name)]


class OpenAiChat(Anthropic):
    NAME = "openai-chat"
    KEEPS_BROKEN_TEXT = True

    def tools(self, tools: list) -> int:
        return prove_each(tools, lambda tool: ChatCompletionToolParam)

    def names(self, tools: list) -> dict:
        return {tool["function"]["name"]: "function" for tool in tools}

    def reply(self, model: str, calls: list[Call]):
        made = []
        for at, call in enumerate(calls):
            call.id = f"call_{at:02}"
            function = Function(name=call.name, arguments=call.text())
            made.append(ChatCompletionMessageFunctionToolCall(id=call.id, type="function", function=function))
        message = ChatCompletionMessage(role="assistant", content=None, tool_calls=made)
        choice = Choice(index=0, finish_reason="tool_calls", message=message)
        return ChatCompletion(id="c", object="chat.completion", created=1, model=model, choices=[choice])

    def answer(self, answer: list) -> int:
        return prove_each(answer, lambda message: ChatCompletionToolMessageParam)

    def parts(self, answer: list) -> list[tuple]:
        return [(message["tool_call_id"], message) for message in answer]

    def whole(self, parts: list) -> list:
        return parts

    def own_part(self, call: Call) -> dict:
        return {"role": "tool", "tool_call_id": call.id, "content": "mine"}

    def request(self, model: str, tools: list, reply: dict, answer: list) -> dict:
        opening = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": WISH}]
        return {"model": model, "tools": tools, "messages": [*opening, reply["choices"][0]["message"], *answer]}

    def own_tool(self, name: str) -> dict:
        return {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}


class OpenAiResponses(OpenAiChat):
    NAME = "openai-responses"

    def tools(self, tools: list) -> int:
        return prove_each(tools, lambda tool: CustomToolParam if tool.get("type") == "custom" else FunctionToolParam)

    def names(self, tools: list) -> dict:
        return {tool["name"]: tool["type"] for tool in tools}

    def reply(self, model: str, calls: list[Call]):
        text = ResponseOutputText(type="output_text", text="Let me look.", annotations=[])
        said = {"id": "msg_01", "type": "message", "role": "assistant", "status": "completed"}
        made = [ResponseOutputMessage(content=[text], **said)]
        for at, call in enumerate(calls):
            call.id = f"call_{at:02}"
            same = {"call_id": call.id, "name": call.name}
            if call.free is not None:
                made.append(ResponseCustomToolCall(type="custom_tool_call", id=f"ctc_{at:02}", input=call.free, **same))
            else:
                made.append(
                    ResponseFunctionToolCall(type="function_call", id=f"fc_{at:02}", arguments=call.text(), **same)
                )
        return Response(
            id="resp_01",
            object="response",
            created_at=1,
            model=model,
            output=made,
            parallel_tool_calls=True,
            tool_choice="auto",
            tools=[],
            status="completed",
        )

    def answer(self, answer: list) -> int:
        kinds = {
            "function_call_output": FunctionCallOutput,
            "custom_tool_call_output": ResponseCustomToolCallOutputParam,
        }
        for item in answer:
            demand(item.get("type") in kinds, f"`{item.get('type')}` is no answer to a call")
            demand(isinstance(item.get("call_id"), str), "an item has no call_id")
        return prove_each(answer, lambda item: kinds[item["type"]])

    def parts(self, answer: list) -> list[tuple]:
        return [(item["call_id"], item) for item in answer]

    def own_part(self, call: Call) -> dict:
        return {"type": "function_call_output", "call_id": call.id, "output": "mine"}

    def request(self, model: str, tools: list, reply: dict, answer: list) -> dict:
        items = [{"role": "user", "content": WISH}, *reply["output"], *answer]
        return {"model": model, "instructions": SYSTEM, "tools": tools, "input": items}

    def own_tool(self, name: str) -> dict:
        schema = {"type": "object", "properties": {}}
        return {"type": "function", "name": name, "strict": False, "parameters": schema}


class Gemini(Anthropic):
    NAME = "gemini"

    def tools(self, tools: list) -> int:
        return prove_each(tools, lambda tool: google.Tool)

    def names(self, tools: list) -> dict:
        return {one["name"]: "function" for tool in tools for one in tool.get("functionDeclarations", [])}

    def reply(self, model: str, calls: list[Call]):
        parts = [google.Part(text="Let me look.")]
        for at, call in enumerate(calls):
            call.id = f"fc-{at:02}"
            parts.append(google.Part(function_call=google.FunctionCall(id=call.id, name=call.name, args=call.args)))
        content = google.Content(role="model", parts=parts)
        candidate = google.Candidate(index=0, finish_reason="STOP", content=content)
        return google.GenerateContentResponse(candidates=[candidate], model_version=model)

    def answer(self, answer: dict) -> int:
        demand(answer.get("role") == "user", "the answer is no user content")
        only = all(set(part) == {"functionResponse"} for part in answer["parts"])
        demand(only, "the answer holds other parts than function responses")
        responses = [part["functionResponse"] for part in answer["parts"]]
        whole = all(isinstance(one.get("response"), dict) and one.get("name") for one in responses)
        demand(whole, "a function response lacks its name or an object as its response")
        return strict.prove(answer, google.Content)

    def parts(self, answer: dict) -> list[tuple]:
        return [(part["functionResponse"].get("id"), part) for part in answer["parts"]]

    def whole(self, parts: list) -> dict:
        return {"role": "user", "parts": parts}

    def own_part(self, call: Call) -> dict:
        return {"functionResponse": {"id": call.id, "name": call.name, "response": {"output": "mine"}}}

    def request(self, model: str, tools: list, reply: dict, answer: dict) -> dict:
        opening = {"role": "user", "parts": [{"text": WISH}]}
        contents = [opening, reply["candidates"][0]["content"], answer]
        return {"systemInstruction": {"parts": [{"text": SYSTEM}]}, "contents": contents, "tools": tools}

    def own_tool(self, name: str) -> dict:
        return {"name": name}

    def add_tool(self, tools: list, name: str) -> list:
        first = tools[0]["functionDeclarations"]
        return [{**tools[0], "functionDeclarations": [*first, self.own_tool(name)]}, *tools[1:]]


ALL = [Anthropic(), OpenAiChat(), OpenAiResponses(), Gemini()]


def as_json(reply, drop_null: bool) -> dict:
    """A reply of an SDK as JSON: as a program dumps it, or without the nulls, as it goes back into a history."""
    is_google = isinstance(reply, google.GenerateContentResponse)
    text = reply.model_dump_json(by_alias=is_google, exclude_none=drop_null or is_google)
    return json.loads(text)
