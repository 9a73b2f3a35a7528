/** What may stand around an order without changing it. */
export const AROUND = {
  before:
    /^(?:(?:please|pls|plz|kindly|first(?:ly)?|finally|lastly|next|also|too|now|just|and|then|so|but|(?:hey|hi|hello)(?: there)?|ok(?:ay)?|well|sure|i(?:'d| would) like to (?:know|see)|i want to know|do you know|tell me(?= (?:what|which|how many|where))|i wonder|after(?: that|wards)|make a plan:?|in the end|(?:can|could|would|will) (?:you|u)(?: (?:possibly|kindly|maybe|please|also|just))*|i(?:'d| would) like (?:you )?to|i (?:want|need) (?:you )?to|help me(?: to)?|let's|lets|go ahead and|quickly|(?:\d{1,2}[.)]|[-*•])(?=\s))(?![\w/.'-])|请问?|麻烦你?|劳驾|先|首先|最后|接着|然后|之后|接下来|再|并且?|而且|同时|也|另外|现在(?!几|在|是|的)|帮(?:我|忙)|(?:你)?(?:能不能|能否|可以|可不可以|能)(?=帮|给我|把|请)|给我(?!看)|替我|我想让?你?|我要(?!退)|麻烦|列(?:一|出)?个?计划[:：]|但是?|すみません(?:が)?|すいません(?:が)?|まず(?:は)?|最初に|次に|つぎに|それから|そして|その後|そのあと|最後に|では|じゃあ|ちょっと|計画を立てて[:：]?|また|さらに|でも|ただし|なお)[\s,，、:：!！]*/iu,
  /** With these even a question is an order. */
  asksPolitely:
    /,? (?:would|will|could|can) you ?\?$|^(?:can|could|would|will) (?:you|u)\b|能不能|能否|可以|可不可以|能帮|麻烦|please|もらえ|いただけ|くれ(?:ます|ません|る)/iu,
  after:
    /(?:[,，]?\s*(?:please|pls|plz|for me|would you|will you|could you|real quick|quickly|right now|right away|thanks|thank you|thx|if you (?:can|could|would)|ok|now|too|as well|when you have time)|[,，]?\s*(?:谢谢你?|好吗|可以吗|行吗|吧|吗|呢|呀|啊|哦|啦|一下吧)|(?<=[てで])(?:もらえ(?:ます|ません)か|いただけ(?:ます|ません)か|くれ(?:ます|ません)か|くれる|ほしい(?:です)?|欲しい(?:です)?|もらえる)|(?<=して|て|で|って)(?:ね|よ)|お願い(?:します|いたします)?)$/iu,
};

/** Where a prompt may part into clauses; each is understood, or nothing is done. */
export const BREAKS =
  /\n+|[;；。]|(?<=[^\d\s][.!?！？])\s|[,，、]|\s(?=(?:and|then|but|after that)\s)|\s(?=\d{1,2}[.)]\s)|(?=然后|接着|之后再|并(?!发)|再(?!见)|最后)|(?<=[^\s][てで])(?!す|い|き|く|も|は|み|ほ|ね|よ)|(?<=作り|書き|し)、/u;

/** Words that make an unquoted text doubtful: it may be described and not said, or the order may go on in it. */
export const DOUBTFUL = {
  words:
    /(?<!\w)(?:a|an|the|this|that|these|those|it|its|them|they|all|any|every|each|some|something|anything|everything|nothing|what|how|when|if|unless|until|while|because|but|then|not|never|only|except|instead|before|after|as|like|about|with|without|from|into|in|on|of|for|to|by|my|your|our|me|you|is|are|be|should|would|could|must|using|via|please|first|last|current|same|better|nice|good idea|uppercase|lowercase|english|french|german|spanish|chinese|japanese|korean|italian|latin|documentation|docs?|tests?|comments?|types?|code|functions?|class|script|program|results?|output|date|time|numbers?|names?|versions?|contents?|summary|poem|story|joke|haiku|essay|letter|translation|explanation|lines?|words?|files?|folders?|duplicates|error handling|logging|pass|email|send|instructions?|notes|reports?|plans?|ideas|tips|recipes?|songs?|lyrics|poems|stories|jokes|facts|quotes|logs|data|answers?|changes|words|usage|examples?|headings?|titles?|bullets?|sentences?|paragraphs?|yourself|himself|bugs?|errors?|problems?|issues?|mistakes?|typos?|unused)(?![\w'])/iu,
  zh: /^(?:一|几|这|那|它|些)|的|了|如果|要是|但|不要|别|然后|什么|怎么|东西|内容|代码|函数|笑话|诗|故事|文章|摘要|总结|翻译|译|英文|英语|中文|日文|日语|法语|大写|小写|注释|错误|测试|时间|日期|标题|行|更|好的|结果|文件|计划|报告|笔记|日记|信$|歌词|菜谱|介绍|说明|改动|列表|例子|输出|答案|问题|数据|日志/u,
  ja: /(?:を|が(?!と)|して|から|まで|など|もし|場合|ない)|^(?:何|これ|それ|あれ)|英語|日本語|中国語|大文字|小文字|コメント|関数|テスト|エラー|処理|翻訳|訳|要約|詩|物語|日付|時刻|時間|結果|内容|中身|行目|同じ|ファイル|もっと|詩|俳句|計画|報告|日記|手紙|歌詞|レシピ|説明|紹介|感想|文章|作文|メモ|記事|今日|一覧|変更|例$/u,
};

/** What a command line begins with when it stands alone or behind "run"; other words are no command. */
export const PROGRAMS =
  /^(?:[A-Z_]+=\S* +)*(?:sudo|ls|cat|cd|pwd|echo|printf|git|npm|npx|pnpm|yarn|node|deno|bun|tsx|tsc|python3?|pip3?|pytest|make|cargo|go|grep|rg|find|sed|awk|head|tail|wc|sort|uniq|cut|tr|diff|mkdir|rmdir|touch|cp|mv|rm|ln|chmod|chown|which|command|type|env|export|test|true|false|sleep|date|whoami|id|hostname|uname|ps|kill|df|du|curl|wget|tar|zip|unzip|sh|bash|zsh|file|stat|tree|seq|yes|exit|for|while|if|docker|kubectl|xargs|tee|dd|mkfs\S*|shutdown|reboot|time|timeout|nohup|\.{0,2}\/[\w./-]+|~\/\S+|>+)(?=\s|$|;|&|\|)/u;

/** Words of a remark behind a command, and not of the command. */
export const REMARKS =
  /(?<![\w-])(?:if|unless|when|after|before|would|could|should|is|are|was|means?|because|please|then|so|why|how|the|my|your|me|you|it|in case|first|failed|dangerous|can|and tell|but|all|every|some|files|that|this|with|yourself|no|not|never|don't|dont|wait|actually|instead|later|twice|again|sorry)(?![\w-])|[^\s\x20-\x7e]/iu;
