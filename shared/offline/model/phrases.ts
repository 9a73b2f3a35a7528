/**
 * How people say things: for each meaning the expressions of each language, the first that fits counts.
 * A quoted part of the prompt stands in the text as `\uE000<number>\uE001`.
 */
export type Language = "en" | "zh" | "ja";
export type Phrase = Record<Language, readonly RegExp[]>;

const re = (text: TemplateStringsArray, ...parts: string[]): RegExp => new RegExp(String.raw(text, ...parts), "dis");

/** A meaning: its expressions in English, Chinese and Japanese. */
const phrase = (en: RegExp | RegExp[], zh: RegExp | RegExp[], ja: RegExp | RegExp[]): Phrase => ({
  en: [en].flat(),
  zh: [zh].flat(),
  ja: [ja].flat(),
});

const MARK = String.raw`\uE000\d+\uE001`;
const FILE = String.raw`(?:${MARK}|(?:\.{1,2}/)*[\w@~/-]*(?:\.[\w@~/-]+)*\.[A-Za-z]\w*|README|LICENSE|Makefile)`;
/** How a Japanese verb ends in an order; what goes on behind it ("…してもいいですか", "…するのは危険") makes it none. */
const ORDER = String.raw`(?:する|しろ|せよ|[しえき]?て|して|える|る|す|し|く)?(?:ください|下さい|くれ|おいて|みて|ほしい|欲しい|お願い(?:します)?|ね|よ)*`;
const BECOMES = "(?:改成|改为|换成|设为|变成)(?!了)";
const NO_NAME =
  "the|this|that|a|an|my|our|your|here|there|current|called|named|with|and|of|all|it|folder|directory|files?|project|repo|one|new|for";
const NAME = String.raw`(?:${MARK}|(?<![\w@.~/-])(?!(?:${NO_NAME})(?![\w./-]))(?=[\w@.~/-]*\w)[\w@.~/-]+)`;

// oxfmt-ignore
export const NUMBERS: Record<string, number> = {
  one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10,
  一: 1, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9, 十: 10, 两: 2,
};
const NUMBER = String.raw`\d+|${Object.keys(NUMBERS).join("|")}`;

// ---- Clauses ---------------------------------------------------------------------------------------------------

const ACTION = {
  en: String.raw`(?:run|execute|read|open|show|write|create|make|delete|remove|list|rename|copy|count|append|add|put|save|print|commit|search|find)\b(?!:|[./-]\w)`,
  zh: "(?:把它|将其)?(?:运行|执行|读|打开|创建|新建|写(?![上入着有了]|[0-9一二两三四五六七八九十]+行)|删除|列出|重命名|复制|统计|追加|查看|看)",
};

// Behind "run" and a command, a semicolon is the shell's.
const SHELL = String.raw`(?<!\b(?:run|execute|exec)[\s:]+(?!(?:the|it|that|this|all|my)\b|[\w/-]+\.(?:[jt]s|py)\b)[^\n]*)`;

/** Where one clause ends and the next begins. "…, then tell me …" stays with what it is about. */
export const CLAUSE_BREAK: Record<Language, RegExp> = {
  en: re`(?:\s*[,.]\s*|\s*${SHELL};\s*|(?<![;\s])\s+)(?:and\s+)?(?:then|after that|afterwards|finally)\b[,\s]*(?!tell|explain|say)|\s*[,;]?\s+and\s+(?=${ACTION.en})|(?:[,.]\s|${SHELL};\s|\n)\s*(?=${ACTION.en})|\s*,?\s+and\s+(?=${FILE}\s+with\b)|(?<=\b(?:run|execute)\s[^\n]*)\s+and\s+(?=tell|explain)|(?<=^(?:which|what)\b[^\n]*)\s+and\s+(?=which\b)`,
  zh: re`[\s,，;；。]*(?:然后|接着|(?<=[,，;；。]\s*)之后|(?<!的)最后(?![一两几\d的])|并且|再(?!见))\s*(?!请?(?:告诉|说明|解释|介绍|讲))|[\s,，;；。]*(?<!合)并\s*(?=${ACTION.zh})|[,，;；。\n]\s*(?=${ACTION.zh})|[,，;；、。?？]\s*(?=(?:顺便|另外|还有)|有?(?:多少|几[个行])|最近[一两]次|(?:如果|若)[^，。]*(?:告诉|解释)|是谁)`,
  ja: /(?<=[てでしせき]|作り)\s*[、,]\s*(?:それから|そのあと|その後|次に|最後に)?[、,]?\s*(?!.*(?:教えて|説明)|(?!それ|結果|その|[^、]*\.[a-z])[^、]*を(?:表示|出力)|(?:内容|中身)[はを]|[^、]*\s*と(?:書|表示|出力)(?!いた|する|した))|(?<=[てで])(?=実行|表示して|読み返)|\n+|(?:(?<=[てでしせきり])[、,]|。)\s*(?:それから|そのあと|その後|次に|最後に)[、,]?\s*/,
};

/** A clause that leaves its verb to the one before it. */
export const ANOTHER = phrase(re`^${FILE}\s+with\b`, [], []);

/**
 * `content`: what is to be put into a file; `line` when it is said to be a line.
 * With indices, as the same words may stand elsewhere too.
 */
export const PLACED = phrase(
  [
    re`\b(?:write|put|save|add|append|insert)\s+(?:(?:the|an?)\s+(?:new\s+)?(?:text|(?<line>line)|words?)\s+(?:(?:saying|with|that says)\s+)?)?(?<content>(?!(?:an?\s+)?(?:\w+\s+)?files?\b).+?)\s+(?:in(?:to)?|(?:to|at) the end of|to)\s+(?:(?:the|a)\s+)?(?:(?:new\s+)?file\s+)?(?:(?:named|called)\s+)?(?:${FILE}|it$)`,
    re`\b(?:in(?:to)?|to)\s+(?:the\s+)?(?:file\s+)?${FILE}\s*,?\s*(?:write|put|add|append|insert)\s+(?:(?:the|an?)\s+(?:new\s+)?(?:text|(?<line>line)|words?)\s+)?(?<content>.+)$`,
  ],
  [
    re`(?:把|将)\s*(?:文字|文本|(?<line>一行))?\s*(?<content>.+?)\s*(?:这行|这句话|这段文字)?(?:写入|写到|写进|存到|存入|存进|保存到|保存为|追加到|添加到|放入|放到|放进|加到|加入|加进)`,
    re`^写\s*(?<content>.+?)\s*(?:到|进|入)\s*(?:文件\s*)?${FILE}`,
    re`(?:在|往|向|给|到)\s*(?:文件\s*)?${FILE}\s*(?:文件)?(?:的?(?:里面?|中|末尾|后面|最后|结尾))*\s*(?:写入|写上|写|追加|添加|加上|加入|加|放入|放)(?:(?<line>一行)|一句|文字|内容)?\s*[:：]?\s*(?<content>.+)$`,
  ],
  [
    re`^(?<content>[^を]+?)\s*(?:という(?:(?<line>行)|文字|テキスト|内容))?\s*を\s*(?:ファイル\s*)?${FILE}\s*(?:という(?:名前の)?ファイル)?(?:の(?:末尾|最後))?\s*(?:に|へ)\s*(?:書|追記|追加|足し|保存|入れ)`,
    re`${FILE}\s*(?:という(?:名前の)?ファイル)?(?:の(?:末尾|最後))?\s*(?:に|へ)\s*[、,]?\s*(?:一行|新しい行)?\s*(?<content>.+?)\s*(?:という(?:(?<line>行)|文字|内容)を|を)\s*(?:一行)?\s*(?:書|追記|追加|足し|保存|入れ)`,
  ],
);

/** `content`: what a file is said to say or print. */
export const SAID = phrase(
  [
    /\b(?:that|which|to|it should|should)\s+(?:just\s+)?(?:prints?|logs?|outputs?|says?|echo(?:es)?|displays?|contains?)\s+(?<content>.+?)(?=\s+(?:called|named|in a file|(?:in|using)\s+(?:python|javascript|typescript|node|bash)$)\b|$)/dis,
    re`^(?:make|have|let)\s+(?:the\s+)?(?:file\s+)?(?:${FILE}|it)\s+(?:just\s+)?(?:say|contain)\s+(?<content>.+)$`,
    re`^(?:(?:replace|change|set)\s+(?:all\s+)?(?:the\s+)?contents?\s+of|overwrite)\s+(?:the\s+)?(?:file\s+)?${FILE}\s+(?:with|by|to)\s+(?<content>.+)$`,
    /\b(?:saying|printing|containing|contains)\s+(?:the\s+(?:text|words?)\s+)?(?<content>.+)$/dis,
    /\bwith\s+(?:the\s+)?(?:text|contents?|words?|line)\s+(?:of\s+)?(?<content>.+)$/dis,
  ],
  [
    re`(?:创建|新建|建|写|生成|做|弄).*?(?:内容(?:是|为|写|[:：])(?:打印|输出)?|写着|(?:里面)?写[上入]|里面写|打印(?:出)?|输出|显示|写有)\s*[:：]?\s*(?<content>.+?)\s*(?:的\s*(?:Python|JavaScript|TypeScript|Node|Shell|bash)?\s*(?:文件|脚本|程序)?\s*(?:${FILE})?\s*(?:文件|脚本|程序)?)?$`,
    /^(?:写上|写入|写着|写有)\s*[:：]?\s*(?<content>.+)$/ds,
    re`${FILE}\s*(?:文件)?(?:里面?)?的?内容(?:应该是|应该为|${BECOMES})\s*[:：]?\s*(?<content>.+)$`,
    re`^让\s*${FILE}\s*(?:文件)?(?:里面?)?的?内容[是为]\s*[:：]?\s*(?<content>.+)$`,
  ],
  [
    re`${FILE}\s*(?:という(?:名前の)?ファイル)?(?:の(?:末尾|最後))?\s*(?:に|へ)\s*[、,]?\s*(?<content>.+?)\s*と\s*(?:書|追記|追加|入れ)`,
    /(?:作って|作成して|作り|作成し)[、,]?\s*(?<content>.+?)\s*(?:と|って)\s*(?:だけ)?(?:表示|出力|書)/ds,
    /^(?:新しく)?\s*(?<content>.+?)\s*(?:と|って)\s*(?:だけ)?(?:表示|出力|プリント|書(?:いた|かれた|いてある))/ds,
    /^(?<content>(?:\uE000\d+\uE001|[!-~ ])+?)\s*を(?:表示|出力|プリント)する/ds,
    re`(?:内容|中身)(?:は|が)\s*(?<content>.+?)\s*(?:[のでに]\s*[、,]?\s*(?=${FILE}|ファイル|作|し|書|保存)|として|です).*(?:作|書|保存|し)`,
    /^(?<content>.+?)\s*という(?:内容|文字|テキスト)の/ds,
    re`${FILE}\s*(?:という(?:名前の)?ファイル)?を\s*(?<content>.+?)\s*という(?:内容|文字|テキスト)[にで]`,
    /(?:内容|中身)[はを]\s*(?<content>.+?)\s*(?:に|と|で)(?:して|する|します|変え|変更|書き換え)/ds,
  ],
);

/** `content`: what a new file may be meant to say. */
export const WITH = phrase(re`^(?:create|make|write|generate)\b.*?${FILE}\s+with\s+(?<content>\S.*)$`, [], []);

/** `content`: the lines a file is to have, as a list; `lines` tells it from other content. */
export const LINES_SAID = phrase(
  /\bwith\s+(?:the\s+)?(?:(?:\d+|two|three|four|five|six|seven|eight|nine|ten)\s+)?(?<lines>lines?):?\s+(?<content>.+[,;].+)$/dis,
  [
    /写(?:入|上)?(?<lines>[\d一二两三四五六七八九十]+行)\s*[:：]\s*(?<content>.+)$/ds,
    /^(?:把|将)\s*(?<content>[^的]+[、,，;；].+?)\s*这?(?<lines>[\d一二两三四五六七八九十]+行)\s*(?:写|存)[进入到]/ds,
  ],
  /に(?<lines>[\d一二三四五六七八九十]+行)\s*(?:書いて)?\s*[:：]\s*(?<content>.+)$/ds,
);

/** Unquoted words that say what is wanted and are not the text itself. */
export const DESCRIPTION = phrase(
  [
    /^(?:the|an?|all|each|every|some|any|more|better|something|anything|nothing|my|your|our|its|their|how|whether|what|if|numbers?|that|which|to|for|about)\s/i,
    /^(?:\w+ )?(?:it|them|documentation|docs|tests?|comments?|types?|code|logging|error handling|imports?|examples?|results?|output|something|everything|nothing|content|contents|text)$/i,
    /\btimes\b|\b(?:from|until|up to)\s+\d|\d\s*(?:to|through|-|\.\.)\s*\d|\b(?:heading|function|numbers|date|time)\b|\b(?:each|every|when|whenever|until|forever|twice)\b|\b(?:if|unless)\s+(?:it|the file|there|that)\b/i,
  ],
  /日期|时间|标题|数列|数字|东西|^空|^[点些]|^[我你]的|[数\d一二两三四五六七八九十]\s*个|第\s*[\d一二三四五六七八九十]|随机|\d\s*[到至]\s*\d|内容|(?:注释|代码|日志|文档|说明|类型|处理|函数|功能|介绍|列表|结果|示例|例子|总结)$|^(?:什么|啥|哪|谁)|会怎么?样$|^[更最].*的$|^[和跟与].*一样|^(?:[英中日]文|[英汉日]语|[大小]写)$/,
  /と同じ$|日付|時刻|見出し|数列|数字|^空|[\d一二三四五六七八九十]\s*[個つ]の?|素数|乱数|\dから\d|内容|中身|(?:コメント|コード|ログ|ドキュメント|説明|型|処理|関数|機能|一覧|結果|出力|例)$|^(?:何|どう|どんな)|^(?:英語|日本語|中国語|大文字|小文字)$/,
);

/** Unquoted words that, where no one says they are the text, mean something that is to be found or thought up. */
export const THING = phrase(
  /^(?:it|this|that|these|those|them)\b(?!\s+(?:is|was|are|were|works)\b)/i,
  /^(?:[它这那](?!.*[是很有])|一[首篇个段封些])|注释|代码|日志|测试|文档|类型|处理|函数|功能/,
  /^[こそあ]れ|コメント|コード|ログ|テスト|ドキュメント|型|処理|関数|機能|物語|手紙|^詩$|の詩/,
);

/** `from` and `to`: a text to replace and what by. */
export const REPLACE: Phrase = {
  en: [
    ["(?:replace|substitute)", "(?:by|with)"],
    ["(?:change|rename|turn)", "(?:in)?to"],
    ["(?:swap|exchange)", "(?:for|with)"],
  ].map(([verb = "", by = ""]) => {
    const inFile = String.raw`in\s+(?:the\s+)?(?:file\s+)?${FILE}`;
    return re`^(?:${inFile}\s*,?\s*)?${verb}\s+(?:(?:all|every)\s+(?:of\s+)?)?(?:(?:the\s+)?occurrences?\s+of\s+)?(?:(?:the\s+)?(?:words?|text)\s+)?(?<from>.+?)\s+(?:${inFile}\s+)?${by}\s+(?<to>.+?)(?:\s+${inFile}|\s+in it)?$`;
  }),
  zh: [
    re`^(?:在\s*${FILE}\s*(?:里面?|中|内)?\s*[,，]?\s*)?(?:把|将)?\s*(?:文件\s*)?(?:${FILE}\s*(?:文件)?(?:(?:里面?|中|内)的?|的)\s*)?(?:(?:所有|全部)的?)?\s*(?<from>[^\s把将所]\S*?)\s*(?:全部|都)?(?:替换为|替换成|换成|改成|改为)\s*(?<to>[^\s,，]+)(?:\s*[,，]?\s*在\s*${FILE}\s*(?:文件)?(?:里面?|中|内))?$`,
    re`^在\s*${FILE}\s*(?:里面?|中|内)?\s*用\s*(?<to>\S+?)\s*替换\s*(?<from>\S+)$`,
  ],
  ja: [
    re`^(?:${FILE}\s*(?:の(?:中の?(?!身))?|で|にある|内の)\s*[、,]?\s*)?(?<from>[^\sのを]+?)\s*を\s*(?:全部|全て|すべて)?\s*(?<to>\S+?)\s*(?:に|へ|で)\s*(?:置換|置き換|変更|変え|書き換|直)${ORDER}$`,
  ],
};

/** Not one place, but each. */
export const ALL = phrase(/\b(?:all|every|everywhere|each)\b/i, /所有|全部|[都全]/, /全部|全て|すべて/);

/** `from`: a text to take out of a file; `named` when it is said to be one. */
export const REMOVE: Phrase = (() => {
  const en = String.raw`(?:delete|remove|erase|take|cut|drop)\s+(?:all\s+)?(?:(?<named>the\s+(?:words?|text|string|phrase))\s+)?(?<from>${MARK}|\S+)`;
  const zh = "(?:删除|删掉|删去|删了|去掉|去除|移除)";
  const zhNoun = "(?<named>单词|文字|词语)?";
  return phrase(
    [
      re`^${en}\s+(?:out of|from|in)\s+(?:the\s+)?(?:file\s+)?(?:${FILE}|it)$`,
      re`^(?:from|in)\s+(?:the\s+)?(?:file\s+)?${FILE}\s*,?\s+${en}$`,
    ],
    [
      re`^[从在把将]?\s*(?:文件\s*)?${FILE}\s*(?:文件)?(?:(?:里面?|中|内)的?|的)\s*(?:(?:所有|全部)的?)?(?!把)(?<from>\S+?)\s*(?<named>这个词|这[两几]?个字|这句话|一词)?\s*[都全]?${zh}掉?了?$`,
      re`^[从在]\s*(?:文件\s*)?${FILE}\s*(?:文件)?(?:里面?|中|内)?\s*[,，]?\s*${zh}\s*${zhNoun}\s*(?<from>\S+)$`,
      re`^[从在]\s*(?:文件\s*)?${FILE}\s*(?:文件)?(?:里面?|中|内)?\s*[,，]?\s*[把将]\s*${zhNoun}\s*(?<from>\S+?)\s*[都全]?${zh}掉?了?$`,
      re`^${zh}\s*(?:文件\s*)?${FILE}\s*(?:文件)?(?:(?:里面?|中|内)的?|的)\s*${zhNoun}\s*(?<from>\S+)$`,
    ],
    re`^${FILE}\s*(?:から|の(?:中(?:の|から))?|にある|内の)\s*[、,]?\s*(?<from>[^\sのを]+?)\s*(?<named>という(?:単語|言葉|文字列?|語))?\s*を\s*(?:全部|全て|すべて)?\s*(?:削除|消|けし|取り除|除去)${ORDER}$`,
  );
})();

/** What no one means literally in "change tabs to spaces". */
export const NO_TEXT = phrase(
  /^(?:it|them|this|that|everything|nothing|all|tabs?|\w*spaces?|(?:upper|lower|camel|snake)-?case|names?|code|version|titles?|headings?|description|colou?r|size|lines?|newlines?|words?|duplicates?|typos?|punctuation|numbers?|links?)$/i,
  /^(?:[它这那第更]|最[前后]|所有|全部|一切)|(?:[英中日]文|[英汉日]语|[大小]写|[繁简]体|空格|制表符|缩进|名字?|名称|颜色|大小|版本号?|描述|格式|顺序|错误|错字|(?:[空首末每]|重复|多余)[行段句词字]|备份|副本|的)$/,
  /^(?:[こそあ]れ|もっと|より|全部|全て|すべて|最[初後])|(?:英語|日本語|中国語|大文字|小文字|空白|スペース|タブ|名前|色|サイズ|バージョン|タイトル|説明|順番|誤字|重複|[行文段]|番目|行目|バックアップ|コピー|[くい])$/,
);

/** `name`: the folder that is spoken of as one. */
export const FOLDER = phrase(
  [
    re`\b(?:folder|directory)\s+(?:(?:called|named)\s+)?(?<name>${NAME})`,
    re`(?<name>${NAME})\s+(?:folder|directory)\b`,
    re`\bmkdir\s+(?:-p\s+)?(?<name>${NAME})`,
  ],
  [re`(?:文件夹|目录)\s*(?:叫|名为|叫做)?\s*(?<name>${NAME})`, re`(?<name>${NAME})\s*(?:的|这个)?\s*(?:文件夹|目录)`],
  [
    re`(?<name>${NAME})\s*(?:という(?:名前の)?)?\s*(?:フォルダー?|ディレクトリー?)`,
    re`(?:フォルダー?|ディレクトリー?)\s*(?<name>${NAME})`,
  ],
);

/** `name`: the folder in which to look. */
export const PLACE = phrase(
  [
    re`\b(?:in|under|inside|within|from|of)\s+(?:the\s+)?(?:(?:folder|directory)\s+)?(?<name>${NAME}|~|\.\.)(?:\s+(?:folder|directory))?\s*$`,
    re`(?<name>${NAME})\s+(?:folder|directory)\b`,
  ],
  [
    re`(?:文件夹|目录)\s*(?<name>${NAME})`,
    re`(?<name>${NAME}|~|\.\.)\s*(?:这个)?\s*(?:文件夹|目录|里|中|下|内)`,
    re`^(?<name>${NAME})\s*有`,
  ],
  [
    re`(?<name>${NAME})\s*(?:という)?(?:フォルダー?|ディレクトリー?)`,
    re`(?<name>${NAME})\s*(?:の中|内|から|以下|配下|の下|で|に|の(?=\s*[\w.*]+\s*ファイル))`,
  ],
);

/** An order about "it", the file spoken of in an earlier prompt. */
export const IT = phrase(
  /^(?:run|execute|start|test|read|open|show|print|display|cat|copy|rename|move|delete|remove|make|write|put|add|append|change|replace)\b.*\bit\b|^what(?:'s| is| does) (?:in )?it\b|\bthe file$/i,
  /它|[这那该]个?文件$/,
  /^それ[をはに]|^その(?:中身|内容|ファイル)/,
);

/** What makes a sentence no order, or one under a condition; what follows it may hang on it. */
export const NO_ORDER = phrase(
  /\b(?:don't|do not|never|must not|shouldn't)\b|^(?:if|when|unless|once|before|after|until)\b|\bhow (?:do|can|would|should) (?:i|you|we)\b|\bhow to\b/i,
  /^(?:(?:删除|删掉|清空|创建|新建|移动|复制)了|如果|若|假如|除非|当(?!前|下|中))|怎么(?!样)|如何|要是|不要|不用|不能|不许|(?<![分区特级类性])别(?!的|人)|勿|禁止|为什么/,
  /^もし|方法|やり方|どうやって|ないで|するな|しない|なぜ|どうして|[てちじ][はゃ](?:いけ|だめ|ダメ|なら)|危険/,
);

/** What makes an order one that is to be followed only in some case, or at some time. */
export const CONDITION = phrase(
  /(?<!\S)(?<!^(?:run|execute)\s+)(?:if|unless|when|whenever|until|once(?! more| again)|after|before|provided|assuming)(?!\S)/i,
  /(?<!说)的话|如果|若是|要是|假如|除非|只要|只有.*才|前提|了(?:就|再)|之前|以前|的时候|以后|之后/,
  /(?<!さよう?)なら(?![ばん])|(?:たら|れば)[、,\s]|場合|(?:とき|時|前|(?<!最)後|あと)に[、,\s]/,
);

/** A question; one that is polite ("can you …?") is known by how it begins. */
export const ASKING = phrase(/^(?!run\b|execute\b|exec\b).*[?？]\s*$/is, /(?:[?？]|[吗呢])\s*$/, /(?:[?？]|か。?)\s*$/);

/** Takes back what stands before it. */
export const CORRECTION = phrase(
  /(?:^|[,.;]\s*)(?:no|wait|never ?mind|just kidding|i mean|what$)\b/i,
  /(?:^|[，,。]\s*)(?:不对|不是|算了|等等)/,
  /(?:^|[、。]\s*)(?:いや|やっぱ|違う|いい(?:です)?か|と言|って言|先に(?:確認|聞|バックアップ))|(?:(?<!よう)なら|れば|たら|から|[あ後]とで)$/,
);

// ---- Talk ------------------------------------------------------------------------------------------------------

export const GREETING = phrase(
  /^(?:there|everyone|world)[\s!,.]*$|^(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|yo|greetings|how are you|how's it going)(?:\s+(?:there|claude|everyone|world|today|doing))?[\s!,.?]*$/i,
  /^(?:hi|你好|您好|嗨|哈喽|早上好|下午好|晚上好|大家好)[呀啊吗\s!！。,，]*$/,
  /^(?:hi|こんにちは|こんにちわ|こんばんは|おはよう(?:ございます)?|やあ|もしもし|はじめまして|どうも|(?:お?元気|調子)(?:ですか|はどう(?:ですか)?)?)[\s!！。、]*$/,
);

export const THANKS = phrase(
  /^(?:many thanks|thanks?|thank you|thx|great|nice|perfect|well done|good job|cool|awesome)\b.{0,30}$/i,
  /^(?:非常|多)?(?:谢谢|感谢|多谢|辛苦|太好了|很好|不错|棒)/,
  /ありがとう|助かりました|感謝|^(?:すごい|いいね|素晴らしい)/,
);

export const FAREWELL = phrase(
  /^(?:good ?bye|bye(?: bye)?|see you|see ya|cya)\b.{0,20}$/i,
  /^(?:再见|拜拜|回头见|晚安)[!！。啦了]*$/,
  /^(?:さようなら|さよなら|バイバイ|またね|おやすみ(?:なさい)?|じゃあね)[!！。]*$/,
);

export const LEAVING = phrase(
  /^(?:(?:how (?:do|can) i|i want to|please|can i)\s+)?(?:exit|quit|leave)(?: (?:this|the program|here))?(?:,? please)?[?.!]*$/i,
  /^(?:怎么|怎样|如何|我要|我想)?(?:才能)?(?:退出|离开)(?:程序|这里)?[?？。!！]*$/,
  /^(?:どうやって)?(?:終了|退出|終わり)(?:したい|する|して|するには|させて)?(?:ください|ですか|です|か)?[?？。!！]*$/,
);

export const HELP = phrase(
  /\bwhat (?:can|do) you do\b|\bwho are you\b|\bwhat are you\b|what(?:'s| is) your name\b|^help\b|\bhow (?:can|do) (?:you|i) (?:help|use)|\bwhat can i (?:ask|try|do)\b/i,
  /(?:能|会|可以)(?:帮我|为我)?(?:做|干)(?:些|点)?(?:什么|啥)|你是(?:谁|什么)|你叫什么|^(?:帮助|help)$|怎么用|有什么功能/,
  /何が?でき|あなたは(?:誰|何)|^お?名前は|^(?:ヘルプ|help)$|使い方|どんなことが/,
);

// ---- One command answers it ------------------------------------------------------------------------------------

export const COMMITS = phrase(
  [
    re`\b(?<count>\d+)\s+(?:last|latest|recent|newest)\s+commits?\b`,
    re`(?<!since\s+(?:the\s+)?)\b(?:last|latest|recent|newest)\s+(?<count>${NUMBER})?\s*commits?\b`,
    /\b(?:git (?:log|history)|commit (?:log|history)|list (?:the )?commits|history of (?:this|the) (?:repo|project))/i,
  ],
  [re`(?:最近|最后|最新|近)的?\s*(?<count>${NUMBER})?\s*(?:次|个|条)?的?\s*(?:提交|commit)`, /提交(?:历史|记录|日志)/],
  [
    re`コミット(?:履歴|ログ)?を?\s*(?<count>${NUMBER})\s*(?:件|つ|個|回)`,
    re`(?:直近|最近|最後|最新)の?\s*(?<count>${NUMBER})?\s*(?:件|つ|個|回)?の?\s*コミット`,
    /コミット(?:履歴|ログ)|コミット(?:を|の)?一覧/,
  ],
);

export const AUTHOR = phrase(/\bwho\b.*\b(?:commit|committed)\b/i, /谁.*提交|提交.*谁/, /誰.*コミット|コミット.*誰/);

export const CHANGES = phrase(
  /\bwhat(?:'s| has| have| is)?\s+(?:been\s+|i\s+)?(?:changed|modified|new)\b|\b(?:git )?(?:diff|status)\b|\b(?:uncommitted|local|my) changes\b|\bwhat did i change\b|\b(?:did|has|have) anything\b.*\bchanged?\b/i,
  /(?:改|变|修改|改动)了(?:什么|哪些|啥)|(?:有|看)(?:什么|哪些|一下)?(?:变化|改动|变更|修改)|未提交|工作区状态|git\s*(?:状态|差异)/i,
  /何(?:が|を)(?:変わ|変更)|変更(?:点|内容|箇所|された|は?(?:あり|ある))|どこが変わ|差分|未コミット|git\s*の\s*(?:状態|ステータス)/i,
);

export const BRANCHES = phrase(/\bbranches\b/i, /哪些.*分支|分支(?:列表|有哪些)/, /ブランチ.*一覧|どんなブランチ/);
export const BRANCH = phrase(/\bbranch\b/i, /分支/, /ブランチ/);

export const DATE = phrase(
  /^(?:print|show|tell|give)\s+(?:me\s+)?the\s+(?:current\s+)?(?:date|time)$|\bwhat (?:day|date|time)\b|\b(?:today's|current) (?:date|time|day)\b|\bwhat's the (?:date|time)\b|\bwhich day\b/i,
  /(?:今天|现在|当前).{0,4}(?:几号|星期几|周几|日期|几点|时间|礼拜)|几月几[号日]/,
  /今日.{0,4}(?:何日|何曜日|日付)|(?:今|いま|現在).{0,3}(?:何時|時刻|日時)|何月何日|何曜日/,
);

export const NODE_VERSION = phrase(
  /\bnode(?:\.?js)?\b.*\bversion\b|\bversion\b.*\bnode(?:\.?js)?\b/i,
  /node(?:\.?js)?.*版本|版本.*node/i,
  /node(?:\.?js)?.*バージョン|バージョン.*node/i,
);

export const WHERE = phrase(
  /\b(?:where am i|which (?:folder|directory) (?:am i|is this|are we)|(?:current|working) directory\??$|what(?:'s| is) the (?:current|working) (?:folder|directory))/i,
  /我在哪|(?:当前|工作)(?:目录|文件夹|路径)(?:是|在)(?:什么|哪)/,
  /(?:今|ここ)は?どこ|(?:現在|カレント|作業)の?(?:ディレクトリ|フォルダー?)(?:は(?:どこ|何)?|のパス(?:は|を教えて)?)?$/,
);

export const TESTS = phrase(
  /\b(?:run|execute|start)\s+(?:all\s+)?(?:the|my|our|its|this|all)?\s*(?:unit )?tests?(?:\s+(?:suite|again|now|for it))?\s*!?$|^(?:do|are) the tests pass(?:ing)?\b|^test it$/i,
  /(?:运行|执行|跑|跑一下)(?:一下|一遍)?(?:所有|全部|这个|这些|该|单元)*的?测试(?:一下|看看|吧|[，,]?\s*(?:再|并)?(?:告诉我|给我看)结果)?$|^测试(?:能|可以|都)*(?:通过|跑通)(?:了?吗|没有|不)?$/,
  re`テスト(?:コード|スイート)?(?:を|も)?(?:全部|すべて)?(?:実行|走らせ|流し|回し|動かし)${ORDER}(?:[、,]?\s*結果を\S{1,10})?$|テストは?通`,
);

/** `command`: what to run, or what "it" is. */
export const RUN = phrase(
  /^(?:run|execute|exec|start|launch)(?:\s*:\s*|\s+)(?:the\s+(?:shell\s+)?(?:command|script|program|file)\s+|(?:shell\s+)?command:?\s+(?!-))?(?<command>.+?)(?:\s+(?:with (?:node|sudo)|in the shell|for me|please))?$/is,
  [
    /^(?:用\s*(?:node|python3?|bash|sh|sudo)\s*|把它|将其|直接)?(?:运行|执行|跑)(?:一下|一遍|它)?\s*(?:命令|脚本|程序|文件)?\s*[:：]?\s*(?<command>[^，。；]*?)\s*(?:这个|这条)?(?:命令|脚本|程序|文件)?(?:看看)?(?:[，。；]?\s*(?<rest>[并再]?(?:告诉|给我看|解释|说明).+))?$/is,
    /^(?:把|将)\s*(?<command>.+?)\s*(?:运行|执行|跑)(?:一下|一遍|起来)?$/is,
  ],
  [
    re`^(?:コマンド\s*|(?:node|python3?|bash|sh|sudo)\s*で\s*)?(?<command>.+?)\s*(?:という|の)?(?:コマンド|スクリプト|ファイル)?\s*を(?:実行|走らせ|動かし|起動)${ORDER}(?:[、,]?\s*(?<rest>(?:結果|(?<=[、,]\s*)).*(?:教え|見せ|説明し|報告し)\S*))?$`,
    /^(?<command>(?:git|npm|npx|pnpm|yarn)\s[ -~]+?)\s*して(?:ください)?$/,
    /^(?:実行|コマンド)\s*[:：]\s*(?<command>.+)$/,
    re`^(?<command>)(?:実行|走らせ|動かし)${ORDER}$`,
  ],
);

export const SUDO = phrase(/\bwith sudo$/i, /^用\s*sudo/i, /^sudo\s*で/i);

/** A command typed as it is. */
export const BARE_COMMAND: Phrase = (() => {
  const typed = [
    /^(?<command>(?:ls|pwd|git|npm|npx|pnpm|yarn|node|python3?|echo|printf|wc|grep|head|tail|date|whoami|tree|df|du|uname|sleep|sudo|curl|seq|env|ps|chmod|kill)(?<!^grep(?=\s+[\w.-]+$))(?:\s+(?!the\b|for\b|of\b|in\b|me\b|all\b|a\b|an\b|my\b|is\b|are\b|there\b)[\x21-\x7E\uE000\uE001][\x20-\x7E\uE000\uE001]*)?)$/i,
    /^(?<command>(?:rm|cat|mv|cp|mkdir|touch)\s(?:[\x20-\x7E\uE000\uE001]*\s)?(?:-|[|>&;.])[\x20-\x7E\uE000\uE001]*)$/,
    /^(?<command>find\s[\w./~-]+\s+-[\x20-\x7E\uE000\uE001]*)$/,
    /^(?<command>\uE000\d+\uE001)$/,
  ];
  return { en: typed, zh: typed, ja: typed };
})();

/** A sentence about a command. */
export const ABOUT_COMMAND: Phrase = (() => {
  const harmless = String.raw`(?:(?:run|execute)\s+)?(?:echo|printf)\b[^>|;&]*$`;
  const about = re`^(?!${harmless}).*(?<!\S)(?<!^(?:run|execute)\s+)(?:is|are|was|were|be|been|would|will|can|could|should|may|might|must|has|have|had|does|did|doesn't|it|my|your|the|this|that|and|or|but|only|first|later|twice|tomorrow|no|not|never|just|what|how|who|why|when|if|unless|means?|says|gives|makes|causes|deletes|removes|fail(?:s|ed)|works?|\S+,)(?![\w-])`;
  return phrase(about, about, about);
})();

// ---- Files -----------------------------------------------------------------------------------------------------

export const RENAME = phrase(
  /^(?:rename|move|mv|call)\b/i,
  /重命名|改(?:个|一个)?名|移动|移到|挪到|改成|改为/,
  /リネーム|名前を|名前変更|改名|移動|移し|に変更|に変え/,
);
export const COPY = phrase(
  /^(?:copy|cp|duplicate|(?:make|create) an? (?:copy|backup) of)\b/i,
  /复制|拷贝|备份/,
  /コピー|複製|バックアップ/,
);
export const DELETE = phrase(
  /^(?:delete|remove|rm|erase|trash|get rid of)\b/i,
  /删|移除|去掉/,
  /削除|消[しすせ去]|けして|取り除/,
);
export const APPEND = phrase(
  /\bappend\b|\badd\b.*\b(?:to|at|in)\b|^(?:in|to)\b.*\b(?:add|append|insert)\b|\bat the end of\b|^(?:put|insert)\b.*\bin(?:to)?\b/i,
  /追加|末尾|添加|结尾|加到|加上|加一[行句]|加[入进]|放[入进到]/,
  /追記|追加|末尾|最後に|足して|足し$|入れて/,
);
/** Only as an order: these words stand in many sentences that ask for no file to be written. */
export const CREATE = phrase(
  [
    /^(?:create|make|write|put|save|generate|touch|build|set up|mkdir|add (?:an?|some|the)|give me an?|new)\b/i,
    /^(?:in|into|inside|under)\b.*\b(?:create|make|write|put|save)\b/i,
    /^(?:i'd like|i (?:want|need)) an?\b/i,
  ],
  /创建|新建|建(?:一|个|立)|生成|写(?:一|个|入|到|进|上|总结|摘要|概要|(?=\s*(?:到\s*)?\uE002))|做(?:一|个)|存(?:入|到|为)|弄(?:一|个)|写测试/,
  /作成(?!者|日)|作って|作ろう|作り(?:た|ま|[、,])|作る|つくって|新規|書いて(?!あ|い)|書き(?:込|$)|作り$|書く|生成|保存して|用意して|入れて|置いて/,
);
/** Says what a file is to say from now on, whether it is there or not. */
export const SET = phrase(
  /^(?:make|have|let)\s+(?:the\s+)?(?:file\s+)?(?:\uE002|it)\s+(?:just\s+)?(?:say|contain)\b|^(?:\uE002|it)\s+should\b|^(?:(?:replace|change|set)\b.*\bcontents?\s+of|overwrite)\b/i,
  /内容(?:应该|改成|改为|换成|设为|变成)|^让.*内容/,
  re`(?:内容|中身)を.*(?:に|と|で)(?:変え|変更|書き換え)?${ORDER}$|という(?:内容|文字|テキスト)に(?:変え|変更|書き換え)?${ORDER}$`,
);
/** Nothing is to stay in the file. */
export const EMPTY = phrase(
  /^(?:empty|clear|truncate)\s+(?:the\s+)?(?:file\s+)?\uE002$/i,
  /^(?:把\s*)?(?:清空\s*(?:文件\s*)?\uE002|\uE002\s*(?:的内容)?清空)$/,
  re`^\uE002\s*(?:の(?:中身|内容))?を\s*(?:空(?:っぽ)?に|クリア)${ORDER}$`,
);
/** A program that is not named. */
export const PROGRAM = phrase(/\b(?:script|program)\b/i, /脚本|程序/, /スクリプト|プログラム/);
/** A change of what a file says. */
export const EDITING = phrase(
  /^(?:add|append|insert|replace|change|delete|remove)\b/i,
  /加|插入|改成|换|删/,
  /追|挿入|換|変え|削|消/,
);
/** A text that is to stand at a place, not at the end. */
export const BESIDE = phrase(
  /\b(?:before|after|above|below|between|line)\b/i,
  /[前后上下]面|第.+行/,
  /の[前後上下]|行目/,
);
/** A text that is quoted, and names no file. */
export const QUOTE = phrase(/\uE000/, /\uE000/, /\uE000/);
/** In the folder that was just made. */
export const INSIDE = phrase(
  /\b(?:in|inside|into) (?:it|there|that folder)\b|\binside\b/i,
  /里面|其中|在里/,
  /中に|そこに|その中/,
);
export const TEST = phrase(/\btests?\b/i, /测试/, /テスト/);
export const COUNT = phrase(
  /\b(?:how many|count|number of|how long is)\b/i,
  /多少|几[个行]|数一?下|数一数|统计|行数|计算|多长/,
  /何行|の数|いくつ|何個|何件|行数|数え|ファイル数|カウント|何ファイル/,
);
export const FILES = phrase(/\bfiles?\b/i, /文件(?!夹)/, /ファイル/);
/** The first lines of a file, its last ones, or `only` some between. */
export const SOME_LINES = phrase(
  [
    re`\b(?:first|top)\s+(?:(?<first>${NUMBER})\s+)?lines?\b`,
    re`\b(?:last|bottom)\s+(?:(?<last>${NUMBER})\s+)?lines?\b`,
    re`\blines?\s+(?<only>\d+(?:\s*(?:-|to|through)\s*\d+)?)\b`,
  ],
  [
    re`(?:前面?|开头|头)\s*(?<first>${NUMBER})\s*行`,
    re`(?:最后|后面?|末尾)\s*(?<last>${NUMBER})\s*行`,
    re`第\s*(?<only>\d+\s*[-到至]\s*\d+|${NUMBER})\s*行`,
  ],
  [
    re`(?:前|(?:最初|先頭|冒頭|はじめ)の?)\s*(?<first>${NUMBER})\s*行(?!目)`,
    re`(?:最後|末尾|終わり)の?\s*(?<last>${NUMBER})\s*行(?!目)`,
    re`(?<only>\d+(?:行目)?\s*(?:から|[-〜])\s*\d+|${NUMBER})\s*行目`,
  ],
);
/** `detail`: a condition or a wish that a plain answer does not meet. */
export const DETAIL = phrase(
  /\b(?<detail>(?:(?:that|which|whose)\s+(?:(?:are|is)(?!\s+(?:in|under|inside|here|there|called|named)\b)|were|was|have|has|had|do|does|don't|start|end|begin|match|changed?|mention|contain|use|import|include)\w*|except|excluding|without|but not|and if|if it|larger|bigger|smaller|older|newer|modified|sorted|ordered|starting|ending|longer|shorter|in (?:english|chinese|japanese|reverse)|(?:tell|show) me (?:the |any )?differences?)\b.*)$/is,
  /(?<detail>(?:(?:提到|用到|含有)|除了|不包括|不含|按.*[排顺]序|大于|小于|超过|最近修改|修改过|最[大小新旧长短]|以.*(?:开头|结尾)|[用以][中英日]文|告诉我.*(?:区别|不同|差异)).*)$/s,
  /(?<detail>[^、]*(?:があれば|かどうか|(?<!間)違い).*|[^\sをはが、]*(?:以外|除いて|を除く|順に|順で|より(?:大き|小さ|新し|古)|(?:一番|最も)(?:大き|小さ|新し|古|長|短)|で(?:始ま|終わ)|(?:日本|英|中国)語(?:で|に)).*)$/s,
);
/** `detail`: the wish to know what is meant, and not only what is written. */
export const EXPLAIN = phrase(
  /\b(?<detail>(?:explain|describe|summari[sz]e|review|tell (?:me )?(?:what(?!.*\b(?:says?|contains?|in it)\b)|how|why|about)|how does|what(?:'s| is)\s+[^\s]+(?:\s+about|\s+for)?$|what does\b.*\bdo$).*)$/is,
  /(?<detail>(?:介绍|解释|说明|总结|概括|讲讲|讲一讲|告诉我(?!.*(?:内容|写了|里面))|摘要|(?<!内容)是(?:什么(?!内容)|做什么|干什么|干嘛)).*)$/s,
  /(?<detail>[^\s、をは]*(?:説明|要約|まとめ|何の|何をする|紹介|概要|解説).*)$/s,
);
export const LINES = phrase(/\blines?\b|\bhow long\b/i, /行|多长/, /行(?!し)/);
export const ONE_BY_ONE = phrase(
  /\bone (?:command|file|call|step)? ?(?:at a time|by one|after (?:the )?(?:other|another))\b|\bone by one\b|\bseparately\b|\beach with its own\b/i,
  /(?:一次|每次)(?:只)?(?:用|执行|运行|跑)?一(?:个|条)|逐[个一条]|一个一个|一个接一个|分别|一条一条|一[个条](?:命令|文件)?.{0,2}一[个条]/,
  /[一1１](?:つ|個|回|コマンド)ずつ|ファイルずつ|[一1１]回に|[一1１]度に|順番に|個別に|別々に/,
);
/** `what`: a text that files are to hold, to be found by it. */
export const MENTIONING = phrase(
  re`\b(?:files?|code|tests)\s+(?:that\s+|which\s+)?(?:contain|mention|use|import|include|call)(?:s|ing)?\s+(?:the\s+(?:word|text)\s+)?(?<what>${MARK}|.+?)(?:\s+(?:in|under|inside|within)\s+\S+)?$`,
  [
    re`(?:包含|含有|提到|用到|带有)了?\s*(?<what>${MARK}|\S+?)\s*的.*文件`,
    re`哪(?:些|个).*?文件.*?(?:包含|提到|用到|有)了?\s*(?<what>.+)$`,
  ],
  re`(?<what>${MARK}|[\w.-]+|[^\sをがのは]+)\s*(?:という(?:単語|言葉|文字列?))?\s*(?:を(?:含む|使う|使って\S*)|が(?:含まれ|書いてあ|書かれ|入って|出てく|あ)\S*?)\s*(?:[\w.]+\s*)?ファイル`,
);
/** `what`: the text to search for. */
export const SEARCH = phrase(
  [
    re`\b(?:search|grep|look)\s+(?:(?:in|through)\s+\S+\s+)?(?:for\s+)(?:the\s+)?(?:(?:word|text|string)\s+)?(?<what>.+?)(?:\s+(?:in|under|inside|within)\s+.*)?$`,
    /^grep\s+(?<what>[\w.-]+)$/dis,
    /^find\s+(?:all\s+)?(?:the\s+)?(?<what>TODO|FIXME|XXX|HACK)(?:\s+comments?|s)?$/ds,
    re`\bfind\s+(?:all\s+)?(?:the\s+)?(?:(?:word|text|occurrences of|uses of|every)\s+)(?<what>.+?)(?:\s+(?:in|under|inside|within)\s+.*)?$`,
    re`\b(?:where|which files?)\s+(?:does|do|is|are)?\s*(?:the\s+)?(?:(?:word|text)\s+)?(?<what>${MARK}|[\w.-]+)\s+(?:appears?|occurs?|is used|used|mentioned|is mentioned)\b`,
    re`^(?:is|are) there\b\s*(?:(?:an?|any|the)\s+)*(?:(?:word|text)\s+)?(?<what>${MARK}|[\w.-]+)\s+in\b`,
  ],
  [
    re`(?:搜索|查找|搜一下|搜|找一下|找出|找到|找)\s*${NAME}\s*(?:目录|文件夹)?(?:里面?|中|下)的?\s*(?<what>${MARK}|[\w.-]+)$`,
    re`(?:搜索|查找|搜一下|搜|找一下|找出|找到|找)(?:一下)?\s*(?:所有|全部|包含|出现)*的?\s*(?<what>${MARK}|(?!\.)[\w.-]+)(?!.*文件夹?$)`,
    re`^(?:搜索|搜一下|搜搜)\s*(?<what>[^\s的里中文件]+)$`,
    re`(?<what>${MARK}|[\w.-]+)\s*(?:在哪(?:里|些文件)?|出现在)`,
    re`(?:有没有|是否有|有)\s*(?<what>${MARK}|(?<=${FILE}\s*[里中]面?(?:有没有|是否有|有)\s*)[^\s什哪多几吗]+)`,
  ],
  [
    re`(?<what>${MARK}|[\w.-]+)\s*(?:という(?:文字列?|単語|言葉))?\s*を\s*(?:全部|すべて)?\s*(?:検索|探し|さがし|grep|見つけ)`,
    re`^(?<what>[^\sをのはで]+)を(?:検索|grep)`,
    re`(?<what>${MARK}|(?<=${FILE}\s*(?:の中)?に\s*)[^\sはが何]+)\s*[はが]\s*(?:あり|ある|含まれ)`,
    re`どのファイルに\s*(?<what>\S+?)(?:と書|が(?:書|あ|含|出))`,
    re`(?<what>${MARK}|[\w.-]+)\s*[はが]?(?:どこ|どのファイル)(?:に|で)(?:あ|使|出)`,
  ],
);
export const FIND = phrase(/^(?:find|locate|where(?:'s| is))\b/i, /找|在哪/, /探し|さがし|見つけ|どこ/);
/** `what`: the name whose definition is looked for. */
export const DEFINITION = phrase(
  [
    re`\bwhere\s+(?:is\s+)?(?:the\s+)?(?:(?:function|class|type|variable)\s+)?(?<what>${MARK}|[\w$]+)\s+(?:is\s+)?(?:defined|declared|implemented)\b`,
    re`\b(?:definition|declaration)\s+of\s+(?:the\s+)?(?:(?:function|class|type|variable)\s+)?(?<what>${MARK}|[\w$]+)`,
  ],
  [
    re`(?<what>${MARK}|[\w$]+)\s*(?:函数|类|类型|变量)?\s*(?:是)?(?:在哪(?:里|儿|个文件)?(?:里|中)?(?:被)?(?:定义|声明|实现)|的定义|定义在)`,
    re`(?:定义|声明)(?:了)?\s*(?<what>${MARK}|[\w$]+)\s*的(?:地方|位置|文件)`,
  ],
  re`(?<what>${MARK}|[\w$]+)\s*(?:関数|クラス|型|変数)?\s*(?:が|は|を|の)\s*(?:どこで|どこに|どのファイルで)?\s*定義`,
);
/** `kind`: the kind of files to find. */
export const FILES_OF_KIND: Phrase = (() => {
  const kind = String.raw`(?<kind>TypeScript|JavaScript|Python|Markdown|JSON|YAML|HTML|CSS|Rust|Go|Shell|text|test|${MARK}|\*?(?:\.[a-z]\w{0,5})+|(?:ts|js|md|py|txt|json|tsx|css|sh)\b)`;
  return phrase(
    re`(?<![\w.])${kind}\s+(?:source\s+)?(?:files|code|tests)\b`,
    [re`(?<![\w.])${kind}\s*(?:源|类型的|格式的)?(?:文件(?!夹)|代码)`, /(?<kind>测试)文件/],
    [re`(?<![\w.])${kind}\s*(?:の)?\s*(?:ソース)?(?:ファイル|コード)`, /(?<kind>テスト)ファイル/],
  );
})();
export const SUMMARY = phrase(/\bsummar(?:y|i[sz]e)\b/i, /总结|摘要|概要|概括/, /要約|まとめ|概要|サマリー?/);
export const FIX = phrase(
  /\b(?:fix|debug|repair|refactor|improve|optimi[sz]e)\b/i,
  /修复|修一下|修好|调试|重构|改进|优化|解决.*(?:bug|错误|问题)/i,
  /(?:バグ|不具合|エラー|間違い).*(?:直|修正)|修正して|デバッグ|リファクタ|改善/,
);
export const READ = phrase(
  /\b(?:read|show|open|cat|print|display|view|see|look|what|contents?|explain|describe|summar(?:y|i[sz]e)|about|review|check|head|tell|how does)\b/i,
  /读|看|打开|显示|内容|介绍|解释|说明|总结|概括|讲|什么|打印|输出|摘要/,
  /読|見|開|表示|出力|中身|内容|説明|要約|確認|教えて|まとめ|何/,
);
export const PROJECT = phrase(
  /\bwhat(?:'s| is| does)\s+this\b.*\b(?:project|repo|repository|package|codebase|code)\b|\b(?:about|explain|describe|introduce|summari[sz]e)\b.*\b(?:project|repo|repository|codebase)\b|\bwhat(?:'s| is) this(?: all about)?$/i,
  /(?:这|该|本)个?(?:项目|仓库|代码库|工程).*(?:什么|做啥|干嘛|干什么|介绍)|(?:介绍|说明|解释|讲讲|总结|了解).*(?:项目|仓库|代码库|工程)/,
  /(?:この|本)?(?:プロジェクト|リポジトリ|コードベース).*(?:何|どんな|説明|教えて|紹介|概要|について)|何の(?:プロジェクト|リポジトリ)/,
);
export const HIDDEN = phrase(/\bhidden\b/i, /隐藏/, /隠し/);
/** `places`: several folders in which to look. */
export const PLACES = phrase(
  re`\b(?:in|of|inside)\s+(?<places>${NAME}(?:\s*(?:,|,?\s+and)\s+${NAME})+)$`,
  re`(?<places>${NAME}(?:\s*[和与、]\s*${NAME})+)\s*(?:文件夹|目录)?(?:里|中|下|内|的)`,
  re`(?<places>${NAME}(?:\s*[と、]\s*${NAME})+)\s*(?:フォルダー?)?(?:の|に|で)`,
);
export const LIST = phrase(
  /\b(?:what|which|list|show|see|display)\b.*\b(?:files?|folders?|director(?:y|ies)|here|everything|in there|inside)\b|^(?:list|look around|dir)$|^(?:ls|dir)\s+(?:the|this|here)\b|^what(?:'s| is) in\b/i,
  /(?:有|是|列|看|显示|查|包含).*(?:文件|目录|文件夹|东西)|(?:文件夹|目录|这里)[里中下]?面?(?:都)?有|文件列表|^ls\s*一下/,
  /(?:ファイル|フォルダー?|ディレクトリ|ここ).*(?:何|どんな|一覧|リスト|見せ|表示|教え|ある|あり|列挙|見て)|ファイル一覧|一覧を|中(?:身)?を(?:見|表示|教え)|何が(?:入って|ある|あり)|^ls\s*を?して/,
);

export const EXTENSIONS: Record<string, string> = {
  typescript: "ts",
  javascript: "js",
  python: "py",
  markdown: "md",
  json: "json",
  yaml: "yaml",
  html: "html",
  css: "css",
  rust: "rs",
  go: "go",
  shell: "sh",
  text: "txt",
  test: "test.*",
  测试: "test.*",
  テスト: "test.*",
};

// ---- Vocabularies ----------------------------------------------------------------------------------------------
// What changes files is done only for a clause that has no other words than these, besides names and quoted texts.

const vocabulary = (en: string, zh: string, ja: string): Record<Language, RegExp> => {
  const all = (words: string) => new RegExp(String.raw`\uE002|${words}`, "gi");
  return { en: all(en), zh: all(zh), ja: all(ja) };
};

const MAKING_WORDS: Record<Language, string> = {
  en: String.raw`\b(?:create|make|write|put|save|append|insert|add|generate|touch|mkdir|build|set up|give me|new|an?|the|empty|blank|have|let|i'd like|i want|i need|files?|scripts?|programs?|text|folders?|director(?:y|ies)|called|named|with|and|in|into|inside|(?:at|to) the end of|to|(?:replace|change|set) (?:all )?(?:the )?contents? of|overwrite|by|it|there|that|which|just|should|prints?|printing|logs?|outputs?|says?|saying|echo(?:es)?|displays?|contains?|containing|contents?|words?|lines?|one|two|three|four|five|simple|small|python|javascript|typescript|node|bash|shell|config|please|for me|me)\b|-p(?=\s)`,
  zh: "创建|新建|建立|生成|应该|改成|改为|换成|设为|变成|保存到?为?|写入|写着|写有|写上|写到|写进|存入|存到|存进|放[入进到]|加进|追加到?|添加到?|加上|加入|加到|一个|一份|一行|一句|[\\d一二两三四五六七八九十]+行|叫做|名为|名字|文件夹|文件|目录|脚本|程序|文本|文字|空白|内容|打印出?|输出|显示|里面|其中|包含|末尾|后面|最后|结尾|以及|这行|这句话|这段文字|一下|简单|python|javascript|typescript|node|shell|bash|[建会要写做弄叫的空新是为里放着有在往向给到加把将它让和并上中进请个份]",
  ja: "作成|作って|作り|作る|つくって|書いた|書かれた|書いてある|書いて|書き込んで|書き|書く|表示|出力|プリント|保存|追記|追加|末尾|最後|[\\d一二三四五六七八九十]+行|新しい|新しく|新規|生成|用意|置いて|入れて|という|ファイル|スクリプト|プログラム|テキスト|名前|フォルダー?|ディレクトリー?|内容|中身|文字列?|ください|下さい|お願い|もらえます|ほしい|含む|その|そこ|入った|足して|足し|変えて|変更|書き換えて|させ|する|した|して|します|しろ|くれ|だけ|ように|また|python|javascript|typescript|node|shell|bash|[の空もをにへとではが中って行たなる]",
};

/** Making files and folders, and adding to them. */
export const MAKING = vocabulary(MAKING_WORDS.en, MAKING_WORDS.zh, MAKING_WORDS.ja);

/** Making a program that computes, and its test. */
export const COMPUTING = vocabulary(
  `${MAKING_WORDS.en}|` +
    String.raw`\b(?:functions?|module|adds?|adding|sums?|summing|addition|subtracts?|multipl(?:y|ies)|numbers?|together|product|difference|returns?|unit|tests?|for|then|numbers|from|one|other|another)\b`,
  "数字|整数|相加|之和|求和|加起来|加法|相减|减法|之差|相乘|乘法|乘积|之积|之差|的差|实现|计算|函数|测试|单元|返回|[两二2数再也]" +
    `|${MAKING_WORDS.zh}`,
  "足し算|足す|加算|合計|引き算|引く|減算|掛け算|掛ける|乗算|たし算|かけ算|計算|関数|テスト|コード|それ|数字|返す|[2二つ数和差積]" +
    `|${MAKING_WORDS.ja}`,
);

/** Running a program that is named or known. */
export const RUNNING = vocabulary(
  String.raw`\b(?:run|execute|exec|start|launch|the|my|this|that|it|them|tests?|scripts?|programs?|files?|again|with|node|now|too|for|me)\b`,
  "运行|执行|直接|一下|一遍|看看|起来|命令|脚本|程序|文件|测试|node|python3?|bash|sh|[把将用跑它其这那个条吧]",
  "実行|走らせ|動かし|起動|コマンド|スクリプト|ファイル|プログラム|テスト|という|それ|して|する|ください|下さい|node|python3?|bash|sh|[をのでにて]",
);

export const DELETING = vocabulary(
  String.raw`\b(?:delete|remove|rm|erase|trash|get rid of|the|files?|folders?|director(?:y|ies)|called|named|and|both|it|them)\b|-(?:rf|r|f)(?=\s)`,
  "都|整个|删除|删掉|移除|去掉|文件夹|文件|目录|一下|[删把将这那个和掉了它请吧]",
  "削除|消去|消して|消し|消す|けして|取り除いて|ファイル|フォルダー?|ディレクトリー?|という|それ|して|する|ください|下さい|[をと]",
);

/** Renaming, moving and copying. */
export const MOVING = vocabulary(
  String.raw`\b(?:rename|move|mv|copy|cp|duplicate|the|files?|to|into|as|it|make|create|an?|backup|of|call(?:ed)?|named|with|name|instead)\b`,
  "重命名|改个?名|改成|改为|移动|移到|挪到|复制|拷贝|备份|名字|文件|一份|[把将为成到叫的它]",
  "リネーム|という名前|名前|変更|改名|移動|移して|変えて|変え|コピー|複製|バックアップ|ファイル|それ|して|する|ください|下さい|[のをにへで]",
);

/** An order to change something, however it goes on. */
export const CHANGING = phrase(
  /^(?:create|make|write|put|save|generate|touch|build|add|append|insert|delete|remove|rm|erase|rename|move|mv|copy|cp|replace|change|substitute|update|bump|edit|modify|convert|translate|shorten|clean|format|rewrite|switch|merge|undo|revert)\b/i,
  /^(?!.*(?:什么|哪|吗|如何|怎么|多少)).*(?:创建|新建|生成|写(?:一|个|入|到|进|上)|删|添加|加上|追加|插入|合并|切换|撤销|清空|替换|改成|改为|修改|改写|翻译|重命名|移到|移动|复制)/,
  /^(?!.*(?:何|どこ|どの|どれ|ますか|ましたか)).*(?:作成|作って|書いて|書き換え|追加|追記|挿入|削除|消し|置き換え|切り替え|マージ|変更し|変えて|移動|コピー|リネーム|翻訳|短く|整形)/,
);

/** `folder`: where a file is to be moved or copied. */
export const INTO_FOLDER = phrase(
  re`^(?:move|mv|copy|cp)\s+(?:the\s+)?(?:file\s+)?${FILE}\s+(?:in)?to\s+(?:the\s+)?(?:(?:folder|directory)\s+)?(?<folder>${NAME})(?:\s+(?:folder|directory))?$`,
  [
    re`^(?:把|将)\s*(?:文件\s*)?${FILE}\s*(?:移动到|移到|挪到|复制到|拷贝到)\s*(?<folder>${NAME})\s*(?:文件夹|目录)?(?:里面?|中)?$`,
    re`^(?:移动|复制|拷贝)(?:一份)?\s*(?:文件\s*)?${FILE}\s*到\s*(?<folder>${NAME})\s*(?:文件夹|目录)?(?:里面?|中)?$`,
  ],
  re`^${FILE}\s*を\s*(?<folder>${NAME})\s*(?:フォルダー?|ディレクトリー?)?(?:の中)?\s*(?:に|へ)\s*(?:移動|移し|コピー)${ORDER}$`,
);

/** `name`: what a copy is to be called, where that is no name of a file by its looks. */
export const COPY_CALLED = phrase(
  re`^(?:make|create) an? (?:copy|backup) of (?:the )?(?:file )?${FILE} (?:called|named|as) (?<name>${NAME})$`,
  [],
  [],
);

// ---- Everyday work ---------------------------------------------------------------------------------------------

/** `message`: what the commit is to say. */
export const COMMIT = phrase(
  /^commit(?:\s+(?:all|my|the|these|changes|everything|it))*(?:\s+with\s+(?:the\s+)?(?:commit\s+)?message\s+(?<message>.+))?$/dis,
  /^(?:把|将)?(?:所有|全部|我的|这些|的)*(?:改动|更改|修改|代码)?提交(?:一下)?(?:所有|全部|我的|这些|的)*(?:改动|更改|修改|代码)?(?:[，,]?\s*(?:提交)?(?:信息|消息|说明)(?:是|为|用|写)?\s*[:：]?\s*(?<message>.+))?$/ds,
  /^(?:(?:すべての|全ての|この)?(?:変更|修正)(?:点)?を)?(?:(?<message>\uE000\d+\uE001)\s*(?:という(?:メッセージ)?|のメッセージ)?で)?コミットして(?:ください)?$/ds,
);
/** `name`: a branch to be made. */
export const NEW_BRANCH = phrase(
  re`^(?:create|make) an? (?:new )?(?:git )?branch (?:(?:called|named) )?(?<name>${NAME})$`,
  [
    re`^(?:创建|新建)(?:一个)?新?的?\s*(?:git\s*)?分支\s*(?:叫|名为)?\s*(?<name>${NAME})$`,
    re`^(?:创建|新建)(?:一个)?新?的?\s*(?<name>${NAME})\s*分支$`,
  ],
  re`^(?<name>${NAME})\s*(?:という(?:名前の)?)?\s*ブランチを作[成っ]${ORDER}$`,
);
export const EXISTS = phrase(
  /^(?:is|are) there\b|\bexists?$|^(?:do|does) .*\bhave\b/i,
  /有没有|(?:有|存在).*吗|是否(?:有|存在)|在不在/,
  /^(?!.*(?:どこ|何|どんな|どれ)).*(?:(?:あり|存在し)ますか|(?<!て)ある[？?]?$|存在する)/,
);
export const SIZE = phrase(/\bhow (?:big|large)\b|\bsize\b/i, /多大|大小|多少字节/, /サイズ|大きさ|何バイト/);
export const WORD_COUNT = phrase(/\bwords\b/i, /单词|多少(?:个)?词/, /単語|語数/);
export const CHARACTERS = phrase(/\bcharacters\b/i, /字数|字符数/, /文字数/);
export const TOOLS = phrase(
  /\b(?:what|which|list)\b.*\btools\b/i,
  /(?:什么|哪些|列出).*工具|工具(?:有哪些|列表)/,
  /(?:どんな|何の|どの|使える|使用できる)ツール|ツール(?:は何|一覧|を(?:教え|見せ))/,
);
export const VERSION = phrase(/\bversion\b/i, /版本/, /バージョン/);
export const DEPENDENCIES = phrase(/\bdependenc(?:y|ies)\b/i, /依赖/, /依存/);
/** The prompt before is meant, all of it. */
export const AGAIN =
  /^(?:please\s+)?(?:(?:do|try|run) (?:it|that) (?:once )?(?:again|more)|again|once more)[.!]*$|^(?:请)?(?:再(?:来|做|试)一[次遍]|重来)[。!！]*$|^(?:もう(?:一度|一回)|再度)(?:やって|して|お願い)?(?:ください|します)?[。!！]*$/i;

// ---- Programs -----------------------------------------------------------------------------------------------

/** What a program is to do with two numbers. */
export const ARITHMETIC: Record<"add" | "subtract" | "multiply", Phrase> = {
  add: phrase(
    /\b(?:adds?|adding|sums?|summing|addition)\b.*\bnumbers?\b|\bsum of\b|\bnumbers?\b.*\b(?:added|together)\b/i,
    /(?:两|2|二)个?(?:数|数字|整数).*(?:相加|之和|的和|加起来|求和)|(?:相加|加法|求和|加起来|把.*加)/,
    /足し(?:算)?|足す|加算|合計|和を(?:求|計算|返)|たし算/,
  ),
  subtract: phrase(/\bsubtract(?:s|ing)?\b|\bdifference of\b/i, /相减|减法|之差|的差/, /引き算|引く|減算|差を/),
  multiply: phrase(
    /\b(?:multipl(?:y|ies|ying)|product of)\b/i,
    /相乘|乘法|乘积|之积/,
    /掛け算|掛ける|乗算|積を|かけ算/,
  ),
};
